import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { LucidModel, LucidRow, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import { onlyEndingWithin } from '#core/database/active_rows'
import { filterByText } from '#core/database/filter_by_text'
import { countRows } from '#core/http/lists'
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
  /** Part of the address, in any case. */
  search?: string
  email?: string
  kind?: AssignmentKind
  /** Only role assignments match. */
  roleId?: number
  /** Overrides that name it match, and assignments of roles that grant it. */
  permissionId?: number
  /** Only overrides match. */
  resourceType?: string
  /** Only overrides match. */
  resourceId?: string
  /** Only what ends within this number of days matches. */
  endsWithinDays?: number
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
  { limit, after }: { limit: number; after: AssignmentPosition | null },
  client?: TransactionClientContract
): Promise<Assignment[]> {
  const found: Assignment[] = []
  const first = after ? ASSIGNMENT_KINDS.indexOf(after.kind) : 0
  for (const kind of ASSIGNMENT_KINDS.slice(first).filter((each) => matches(each, filter))) {
    if (found.length === limit) break
    const list = { afterId: kind === after?.kind ? after.id : 0, limit: limit - found.length }
    found.push(...(await LISTS[kind](application, filter, list, client)))
  }
  return found
}

function matches(kind: AssignmentKind, filter: AssignmentFilter) {
  if (filter.kind !== undefined && filter.kind !== kind) return false
  if (filter.roleId !== undefined && kind !== 'role') return false
  if (filter.permissionId !== undefined && kind === 'administrator') return false
  const namesResource = filter.resourceType !== undefined || filter.resourceId !== undefined
  return !namesResource || kind === 'override'
}

/** Counts the assignments on all pages. */
export async function countAssignments(
  application: Application,
  filter: AssignmentFilter,
  client?: TransactionClientContract
) {
  let total = 0
  for (const kind of ASSIGNMENT_KINDS.filter((each) => matches(each, filter))) {
    total += await countRows<LucidModel, unknown>(QUERIES[kind](application, filter, client))
  }
  return total
}

const QUERIES = {
  role(
    { id }: Application,
    { roleId, permissionId, ...who }: AssignmentFilter,
    client?: TransactionClientContract
  ) {
    return heldBy(UserRole.query({ client }), who)
      .whereIn('roleId', (roles) => {
        roles.from('roles').where('application_id', id).select('id')
        if (roleId !== undefined) roles.where('id', roleId)
      })
      .if(permissionId !== undefined, (query) =>
        query.whereIn('roleId', (granting) =>
          granting.from('role_permissions').where('permission_id', permissionId!).select('role_id')
        )
      )
  },
  override(
    { id }: Application,
    { permissionId, resourceType, resourceId, ...who }: AssignmentFilter,
    client?: TransactionClientContract
  ) {
    return heldBy(ResourceOverride.query({ client }), who)
      .whereIn('permissionId', (permissions) =>
        permissions.from('permissions').where('application_id', id).select('id')
      )
      .if(permissionId !== undefined, (query) => query.where('permissionId', permissionId!))
      .if(resourceType !== undefined, (query) => query.where('resourceType', resourceType!))
      .if(resourceId !== undefined, (query) => query.where('resourceId', resourceId!))
  },
  administrator({ id }: Application, who: AssignmentFilter, client?: TransactionClientContract) {
    return heldBy(ApplicationAdmin.query({ client }), who).where('applicationId', id)
  },
}

function heldBy<Model extends LucidModel, Row extends LucidRow>(
  query: ModelQueryBuilderContract<Model, Row>,
  { email, search, endsWithinDays }: AssignmentFilter
) {
  if (email !== undefined) void query.where('email', email)
  if (search) filterByText(query, ['email'], search)
  if (endsWithinDays !== undefined) onlyEndingWithin(query, query.model.table, endsWithinDays)
  return query
}

type List = (
  application: Application,
  filter: AssignmentFilter,
  bounds: Bounds,
  client?: TransactionClientContract
) => Promise<Assignment[]>

interface Bounds {
  afterId: number
  limit: number
}

const LISTS: Record<AssignmentKind, List> = {
  async role(application, filter, bounds, client) {
    const rows = await bounded(QUERIES.role(application, filter, client), bounds).preload('role')
    return rows.map((row) => ({ kind: 'role', row }))
  },
  async override(application, filter, bounds, client) {
    const rows = await bounded(QUERIES.override(application, filter, client), bounds).preload(
      'permission'
    )
    return rows.map((row) => ({ kind: 'override', row }))
  },
  async administrator(application, filter, bounds, client) {
    const rows = await bounded(QUERIES.administrator(application, filter, client), bounds)
    return rows.map((row) => ({ kind: 'administrator', row }))
  },
}

function bounded<Model extends LucidModel>(
  query: ModelQueryBuilderContract<Model>,
  { afterId, limit }: Bounds
) {
  return query.where('id', '>', afterId).orderBy('id').limit(limit)
}
