import { TABLES_OF_RIGHTS } from '#app/permissions/values/tables_of_rights'

/**
 * The tables whose rows belong to an `email`, with or without a user record: an erasure deletes
 * them. Logs keep a pseudonym instead, and what belongs to a record is deleted with it.
 */
export const TABLES_BY_ADDRESS = [...TABLES_OF_RIGHTS, 'registration_locales', 'mail_bounces']
