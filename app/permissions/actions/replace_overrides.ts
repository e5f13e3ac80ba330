import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { toDatabase } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { serialize } from '#core/database/serialize'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { lockPermissions } from '#app/permissions/actions/save_permission'
import {
  InvalidAccessLevel,
  PermissionIsGlobal,
  TooManyOverrides,
  UnknownResourceType,
} from '#app/permissions/exceptions'
import type Permission from '#app/permissions/models/permission'
import ResourceOverride from '#app/permissions/models/resource_override'
import { findPermissions } from '#app/permissions/queries/application_members'
import type { AccessLevel } from '#app/permissions/values/access_level'

/** Of one person in one application, on all resources together. */
export const MAX_OVERRIDES = 10_000

export interface OverrideTarget {
  email: string
  appCode: string
  resourceType: string
  resourceId: string
}

export interface OverrideItem {
  permissionId: number
  granted: boolean
  /** Of a tiered permission; a grant without it means `edit`, a deny denies every level (decisions 3.7). */
  accessLevel?: AccessLevel | null
}

const RESOURCE_OVERRIDES: Destination = {
  table: 'resource_overrides',
  columns: {
    email: 'text',
    resource_type: 'text',
    resource_id: 'text',
    permission_id: 'integer',
    granted: 'boolean',
    access_level: 'text',
    created_at: 'timestamptz',
  },
}

/**
 * Replaces the whole set of a person's overrides on one resource, in one transaction.
 *
 * @throws ApplicationNotFound, UnknownResourceType, PermissionIsGlobal, InvalidAccessLevel,
 * TooManyOverrides, ValidationError for an unknown permission id
 */
export async function replaceOverrides(
  { email, appCode, resourceType, resourceId }: OverrideTarget,
  items: OverrideItem[]
): Promise<ResourceOverride[]> {
  return changingAccess(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    await serialize(trx, `overrides:${application.id}:${email}`)
    if (items.length > 0) await requireKnownType(application, resourceType, trx)
    const permissions = await findPermissions(application, items, trx)
    for (const item of items) requireApplicable(permissions.get(item.permissionId)!, item)
    const target = { email, resourceType, resourceId }
    const removed = await overridesOf(email, application, trx).where(target).delete()
    // A person who has more of them from before may still get fewer.
    if (items.length > Number(removed))
      await requireFew({ email, application, more: items.length }, trx)
    const createdAt = toDatabase(DateTime.utc())
    const rows = items.map(({ permissionId, granted, accessLevel }) => ({
      email,
      resource_type: resourceType,
      resource_id: resourceId,
      permission_id: permissionId,
      granted,
      access_level: accessLevel ?? null,
      created_at: createdAt,
    }))
    await insertRows(RESOURCE_OVERRIDES, rows, trx)
    return overridesOf(email, application, trx).where(target).preload('permission').orderBy('id')
  })
}

/** All overrides of a person in an application. */
export function overridesOf(
  email: string,
  application: Application,
  client?: TransactionClientContract
) {
  return ResourceOverride.query({ client })
    .where('email', email)
    .whereIn('permissionId', (permissions) =>
      permissions.from('permissions').where('application_id', application.id).select('id')
    )
}

/** @throws TooManyOverrides when `more` of them do not fit beside the others on other resources */
async function requireFew(
  { email, application, more }: { email: string; application: Application; more: number },
  trx: TransactionClientContract
) {
  const [{ $extras }] = await overridesOf(email, application, trx).count('* as total')
  if (Number($extras.total) + more <= MAX_OVERRIDES) return
  throw new TooManyOverrides({ details: { limit: MAX_OVERRIDES } })
}

/** @throws UnknownResourceType once the application has a catalog that does not list the type */
async function requireKnownType(
  application: Application,
  resourceType: string,
  trx: TransactionClientContract
) {
  // Shared with other assignments, but not with whoever deletes or re-codes the entity.
  const entities = await Entity.query({ client: trx })
    .where('applicationId', application.id)
    .orderBy('id')
    .forShare()
  if (entities.length === 0 || entities.some(({ code }) => code === resourceType)) return
  throw new UnknownResourceType({ details: { available: entities.map(({ code }) => code) } })
}

function requireApplicable(permission: Permission, { accessLevel }: OverrideItem) {
  if (permission.global) throw new PermissionIsGlobal({ details: { permission: permission.code } })
  if (!accessLevel || (permission.type === 'tiered' && permission.accepts(accessLevel))) return
  throw new InvalidAccessLevel({
    details: { permission: permission.code, type: permission.type, accessLevel },
  })
}
