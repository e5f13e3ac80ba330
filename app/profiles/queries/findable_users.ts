import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { likePatterns } from '#core/database/filter_by_text'
import { holdersWithoutRecord } from '#app/profiles/queries/holders'

type Query = DatabaseQueryBuilderContract

export interface UserFilter {
  /** Part of the address or of a name, in any case. */
  search?: string
  /** Only users with a preference, a role, an override or the administration of it. */
  appCode?: string
  /** Only users who have the role with this code; requires `appCode`. */
  role?: string
  active?: boolean
  /** The applications that the viewer can see; undefined for all. */
  visible?: number[]
}

export interface Scope extends UserFilter {
  /** The applications to which roles and logins are limited. */
  applicationIds?: number[]
}

export async function resolveScope(filter: UserFilter): Promise<Scope> {
  if (filter.appCode === undefined) return { ...filter, applicationIds: filter.visible }
  const application = await db.from('applications').where('code', filter.appCode).first()
  return { ...filter, applicationIds: application ? [Number(application.id)] : [] }
}

/** The user records that match, in no order. */
export function records({ search, appCode, role, applicationIds, active }: Scope): Query {
  return db
    .from('users')
    .select('users.id as id', 'users.email as email')
    .if(active !== undefined, (query) => void query.where('users.active', active!))
    .if(search, (query) => void query.where((user) => void filterByText(user, search!)))
    .if(role !== undefined, (query) => {
      query.whereIn('users.email', (assigned) => {
        void roleHolders(assigned as Query, applicationIds!).where('roles.code', role!)
      })
    })
    .if(appCode !== undefined && role === undefined, (query) => {
      query.where((user) => void filterByApplication(user as Query, applicationIds!))
    })
}

/**
 * The addresses after this one that match and have no user record. Such users are neither active
 * nor inactive, and have no names.
 */
export function holders(
  { search, appCode, role, applicationIds, active, visible }: Scope,
  after: string | undefined
) {
  return holdersWithoutRecord({
    applicationIds: active === undefined ? applicationIds : [],
    role,
    superAdmins: active === undefined && appCode === undefined && visible === undefined,
    narrow: (query) => {
      if (after !== undefined) query.where('h.email', '>', after)
      if (search) query.where((holder) => void filterByText(holder, search, ['h.email']))
    },
  })
}

const TEXTS = ['users.email', 'users.first_name', 'users.last_name', 'users.display_name']

function filterByText(query: Query, search: string, columns = TEXTS) {
  for (const pattern of likePatterns(search)) {
    for (const column of columns) {
      query.orWhereRaw(`lower(${column}) like ? escape '\\'`, [pattern])
    }
  }
}

function roleHolders(assigned: Query, applicationIds: number[]) {
  return assigned
    .from('user_roles')
    .join('roles', 'roles.id', 'user_roles.role_id')
    .whereIn('roles.application_id', applicationIds)
    .select('user_roles.email')
}

function filterByApplication(user: Query, applicationIds: number[]) {
  user
    .whereIn('users.id', (preferences) =>
      preferences
        .from('application_preferences')
        .whereIn('application_id', applicationIds)
        .select('user_id')
    )
    .orWhereIn('users.email', (assigned) => void roleHolders(assigned as Query, applicationIds))
    .orWhereIn('users.email', (overridden) =>
      overridden
        .from('resource_overrides')
        .join('permissions', 'permissions.id', 'resource_overrides.permission_id')
        .whereIn('permissions.application_id', applicationIds)
        .select('resource_overrides.email')
    )
    .orWhereIn('users.email', (admins) =>
      admins.from('application_admins').whereIn('application_id', applicationIds).select('email')
    )
}
