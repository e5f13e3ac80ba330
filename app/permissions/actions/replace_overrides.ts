import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { ApplicationNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { APPLICATION_ENTITY, PANEL_APPLICATION } from '#app/applications/values/panel'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import {
  InvalidAccessLevel,
  PermissionIsGlobal,
  TooManyOverrides,
  UnknownResourceType,
} from '#app/permissions/exceptions'
import type Permission from '#app/permissions/models/permission'
import type ResourceOverride from '#app/permissions/models/resource_override'
import { overridesState } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'
import { findReferencedPermissions } from '#app/permissions/queries/referenced_rows'
import { userOverrides } from '#app/permissions/queries/user_overrides'
import { type AccessLevel, fitsOverride } from '#app/permissions/values/access_level'
import {
  type TimeWindow,
  requireValidWindow,
  toWindow,
  windowColumns,
  windowState,
} from '#app/permissions/values/time_window'

/** For one user in one application, across all resources. */
export const MAX_OVERRIDES = 10_000

export interface OverrideTarget {
  email: string
  appCode: string
  resourceType: string
  resourceId: string
}

export interface OverrideItem extends Partial<TimeWindow> {
  permissionId: number
  granted: boolean
  /** For grants of tiered permissions; null means `edit` (permissions.md#level-of-an-override). */
  accessLevel?: AccessLevel | null
  /** In CEL (permissions.md#conditions). */
  condition?: string | null
}

export const RESOURCE_OVERRIDES: Destination = {
  table: 'resource_overrides',
  columns: {
    email: 'text',
    resource_type: 'text',
    resource_id: 'text',
    permission_id: 'integer',
    granted: 'boolean',
    access_level: 'text',
    condition: 'text',
    created_at: 'timestamptz',
    valid_from: 'timestamptz',
    valid_until: 'timestamptz',
  },
}

/**
 * @throws ApplicationNotFound, also for a panel level on an application that does not exist; Stale,
 *   ConditionInvalid, UnknownResourceType, PermissionIsGlobal, InvalidAccessLevel, InvalidWindow,
 *   TooManyOverrides, ValidationError for an unknown permission id
 */
export async function replaceOverrides(
  { email, appCode, resourceType, resourceId }: OverrideTarget,
  items: OverrideItem[],
  requireFresh: RequireFresh<ResourceOverride[]> = unconditional
): Promise<ResourceOverride[]> {
  await requireValidConditions(appCode, items, 'permissions')
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    await lockUntilCommit(trx, `overrides:${application.id}:${email}`)
    const target = { email, resourceType, resourceId }
    const onResource = () => {
      const overrides = userOverrides(email, application, trx).where(target)
      return overrides.preload('permission').orderBy('id')
    }
    await requireFresh(onResource)
    if (items.length > 0) {
      requireKnownResourceType(await lockEntities(application, trx), resourceType)
      await requireManagedApplication({ appCode, resourceType, resourceId }, trx)
    }
    const permissions = await findReferencedPermissions(application, items, trx)
    requireValidItems(items, permissions)
    const former = await onResource()
    const removed = await userOverrides(email, application, trx).where(target).delete()
    // A user who already exceeds the limit can still be given fewer overrides.
    if (items.length > Number(removed)) {
      await requireRoomForOverrides({ email, application, added: items.length }, trx)
    }
    const onPermission = new Map(former.map((override) => [override.permissionId, override]))
    const now = DateTime.utc()
    const rows = items.map((item) => ({
      email,
      resource_type: resourceType,
      resource_id: resourceId,
      permission_id: item.permissionId,
      granted: item.granted,
      access_level: item.accessLevel ?? null,
      condition: item.condition ?? null,
      created_at: toDatabaseTimestamp(sinceWhen(item, onPermission.get(item.permissionId)) ?? now),
      ...windowColumns(item),
    }))
    await insertRows(RESOURCE_OVERRIDES, rows, trx)
    const overrides = await onResource()
    await recordChange(trx, {
      action: 'user.overrides_replaced',
      application,
      target: userTarget(email),
      before: overridesState(target, former),
      after: overridesState(target, overrides),
      email,
    })
    return overrides
  })
}

/** An override that says the same as before keeps the time of its assignment. */
function sinceWhen(item: OverrideItem, former: ResourceOverride | undefined) {
  if (former === undefined || windowState(former) === 'ended') return null
  const isSame =
    former.granted === item.granted &&
    former.accessLevel === (item.accessLevel ?? null) &&
    former.condition === (item.condition ?? null)
  return isSame ? former.createdAt : null
}

/** @throws TooManyOverrides if the user's other overrides leave no room for the added ones */
async function requireRoomForOverrides(
  { email, application, added }: { email: string; application: Application; added: number },
  trx: TransactionClientContract
) {
  const [{ $extras }] = await userOverrides(email, application, trx).count('* as total')
  if (Number($extras.total) + added <= MAX_OVERRIDES) return
  throw new TooManyOverrides({ details: { limit: MAX_OVERRIDES } })
}

/** Blocks concurrent changes and deletions of the entities, but not other assignments. */
export const lockEntities = (application: Application, trx: TransactionClientContract) =>
  Entity.query({ client: trx }).where('applicationId', application.id).orderBy('id').forShare()

/** @throws UnknownResourceType if the application has entities, but none with this code */
export function requireKnownResourceType(entities: Entity[], resourceType: string) {
  if (entities.length === 0 || entities.some(({ code }) => code === resourceType)) return
  throw new UnknownResourceType({ details: { available: entities.map(({ code }) => code) } })
}

/**
 * A panel level would apply to whatever is created under the code later. Blocks the deletion of the
 * application, which removes the levels on it.
 *
 * @throws ApplicationNotFound
 */
export async function requireManagedApplication(
  { appCode, resourceType, resourceId }: Omit<OverrideTarget, 'email'>,
  client: TransactionClientContract
) {
  if (appCode !== PANEL_APPLICATION || resourceType !== APPLICATION_ENTITY) return
  const managed = await Application.query({ client }).where('code', resourceId).forShare().first()
  if (managed) return
  const detail = 'There is no application whose code is the resourceId'
  throw new ApplicationNotFound({ detail, details: { resourceType, resourceId } })
}

/** @throws PermissionIsGlobal, InvalidAccessLevel, InvalidWindow */
export function requireValidItems(
  items: OverrideItem[],
  permissions: ReadonlyMap<number, Permission>
) {
  for (const [index, item] of items.entries()) {
    requireValidOverride(permissions.get(item.permissionId)!, item)
    requireValidWindow(toWindow(item), `permissions.${index}`)
  }
}

function requireValidOverride(permission: Permission, { accessLevel }: OverrideItem) {
  if (permission.global) throw new PermissionIsGlobal({ details: { permission: permission.code } })
  if (fitsOverride(permission.type, accessLevel ?? null)) return
  throw new InvalidAccessLevel({
    details: { permission: permission.code, type: permission.type, accessLevel },
  })
}
