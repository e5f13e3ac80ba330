/**
 * Where the texts of a message come from: a template of the admin panel, the data of the send, the
 * identity provider, or the built-in template of digests.
 */
export type TemplateSource = 'panel' | 'data' | 'idp' | 'builtIn'
