import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import type Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import UserRole from '#app/permissions/models/user_role'

/** In the order in which they are listed. */
export const ASSIGNMENT_KINDS = ['role', 'override', 'administrator'] as const

export type AssignmentKind = (typeof ASSIGNMENT_KINDS)[number]

/** Overrides come with `permission`, role assignments with `role`. */
export type Assignment =
  | { kind: 'role'; row: UserRole }
  | { kind: 'override'; row: ResourceOverride }
  | { kind: 'administrator'; row: ApplicationAdmin }

export interface AssignmentFilter {
  email?: string
  kind?: AssignmentKind
  /** Only role assignments match. */
  roleId?: number
  /** Only overrides match. */
  resourceType?: string
  /** Only overrides match. */
  resourceId?: string
}

/** The last assignment on the previous page. */
export interface AssignmentPosition {
  kind: AssignmentKind
  id: number
}

/** Lists up to `limit` assignments, ordered by kind and id. */
export async function listAssignments(
  application: Application,
  filter: AssignmentFilter,
  { limit, after }: { limit: number; after: AssignmentPosition | null }
): Promise<Assignment[]> {
  const found: Assignment[] = []
  const first = after ? ASSIGNMENT_KINDS.indexOf(after.kind) : 0
  for (const kind of ASSIGNMENT_KINDS.slice(first).filter((each) => matches(each, filter))) {
    if (found.length === limit) break
    const list = { afterId: kind === after?.kind ? after.id : 0, limit: limit - found.length }
    found.push(...(await LISTS[kind](application, filter, list)))
  }
  return found
}

function matches(kind: AssignmentKind, filter: AssignmentFilter) {
  if (filter.kind !== undefined && filter.kind !== kind) return false
  if (filter.roleId !== undefined && kind !== 'role') return false
  const namesResource = filter.resourceType !== undefined || filter.resourceId !== undefined
  return !namesResource || kind === 'override'
}

type List = (
  application: Application,
  filter: AssignmentFilter,
  bounds: { afterId: number; limit: number }
) => Promise<Assignment[]>

const LISTS: Record<AssignmentKind, List> = {
  async role({ id }, filter, bounds) {
    const rows = await bounded(UserRole.query(), filter, bounds)
      .whereIn('roleId', (roles) => {
        roles.from('roles').where('application_id', id).select('id')
        if (filter.roleId !== undefined) roles.where('id', filter.roleId)
      })
      .preload('role')
    return rows.map((row) => ({ kind: 'role', row }))
  },
  async override({ id }, filter, bounds) {
    const { resourceType, resourceId } = filter
    const rows = await bounded(ResourceOverride.query(), filter, bounds)
      .whereIn('permissionId', (permissions) =>
        permissions.from('permissions').where('application_id', id).select('id')
      )
      .if(resourceType !== undefined, (query) => query.where('resourceType', resourceType!))
      .if(resourceId !== undefined, (query) => query.where('resourceId', resourceId!))
      .preload('permission')
    return rows.map((row) => ({ kind: 'override', row }))
  },
  async administrator({ id }, filter, bounds) {
    const rows = await bounded(ApplicationAdmin.query(), filter, bounds).where('applicationId', id)
    return rows.map((row) => ({ kind: 'administrator', row }))
  },
}

function bounded<Model extends LucidModel>(
  query: ModelQueryBuilderContract<Model>,
  { email }: AssignmentFilter,
  { afterId, limit }: { afterId: number; limit: number }
) {
  if (email !== undefined) void query.where('email', email)
  return query.where('id', '>', afterId).orderBy('id').limit(limit)
}
