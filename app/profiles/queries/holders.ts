import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

export interface HolderScope {
  /** Undefined for all applications. */
  applicationIds?: number[]
  /** The code of the role that they have; undefined for whatever they hold. */
  role?: string
  /** Whether super admins are included. */
  superAdmins: boolean
  /** Narrows each table of holders; its alias is `h`. */
  narrow?: (holders: DatabaseQueryBuilderContract) => void
}

/**
 * The addresses of users who hold a role, an override or the administration of these applications,
 * but have no user record.
 */
export function holdersWithoutRecord({ applicationIds, role, superAdmins, narrow }: HolderScope) {
  const roles = db.from('user_roles as h').join('roles as a', 'a.id', 'h.role_id')
  const otherTables = [
    db.from('resource_overrides as h').join('permissions as a', 'a.id', 'h.permission_id'),
    db.from('application_admins as h').join('application_admins as a', 'a.id', 'h.id'),
  ]
  const tables = role === undefined ? [roles, ...otherTables] : [roles.where('a.code', role)]
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
