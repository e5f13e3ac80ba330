/** The tables whose rows give or deny something to an `email`, with or without a user record. */
export const TABLES_OF_RIGHTS = [
  'user_roles',
  'resource_overrides',
  'application_admins',
  'super_admins',
] as const

export type TableOfRights = (typeof TABLES_OF_RIGHTS)[number]
