import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

export interface HolderScope {
  /** Undefined for all applications. */
  applicationIds?: number[]
  /** Whether super admins are included. */
  superAdmins: boolean
  /** Narrows each table of holders; its alias is `h`. */
  narrow?: (holders: DatabaseQueryBuilderContract) => void
}

/**
 * The addresses of people who hold a role, an override or the administration of these applications,
 * but have no user record.
 */
export function holdersWithoutRecord({ applicationIds, superAdmins, narrow }: HolderScope) {
  const tables = [
    db.from('user_roles as h').join('roles as a', 'a.id', 'h.role_id'),
    db.from('resource_overrides as h').join('permissions as a', 'a.id', 'h.permission_id'),
    db.from('application_admins as h').join('application_admins as a', 'a.id', 'h.id'),
  ]
  const queries = tables.map((table) =>
    table.if(applicationIds, (own) => void own.whereIn('a.application_id', applicationIds!))
  )
  if (superAdmins) queries.push(db.from('super_admins as h'))
  for (const query of queries) {
    query
      .select('h.email as email')
      .whereNotExists((record) => record.from('users').whereColumn('users.email', 'h.email'))
    narrow?.(query)
  }
  const [first, ...others] = queries
  return first.union(others)
}
