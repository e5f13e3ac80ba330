/**
 * Where the texts of a message come from: a template of the admin panel, the data of the send, or
 * the identity provider.
 */
export type TemplateSource = 'panel' | 'data' | 'idp'
