import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import Application from '#app/applications/models/application'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import {
  lockEntities,
  requireKnownResourceType,
  requireManagedApplication,
  requireValidItems,
} from '#app/permissions/actions/override_rules'
import { ConditionsTooLarge, TooManyOverrides } from '#app/permissions/exceptions'
import { overridesState } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'
import { insertOverrides } from '#app/permissions/queries/insert_overrides'
import { findReferencedPermissions } from '#app/permissions/queries/referenced_rows'
import {
  type ShownOverride,
  listOverrides,
  userOverrides,
} from '#app/permissions/queries/user_overrides'
import {
  type OverrideItem,
  type OverrideTarget,
  MAX_OVERRIDES,
} from '#app/permissions/values/overrides'
import { MAX_CONDITION_BYTES, conditionBytes } from '#app/permissions/values/condition_bytes'
import { windowState } from '#app/permissions/values/time_window'

/**
 * @throws ApplicationNotFound, also for a panel level on an application that does not exist; Stale,
 *   ConditionInvalid, UnknownResourceType, PermissionIsGlobal, InvalidAccessLevel, InvalidWindow,
 *   TooManyOverrides, ConditionsTooLarge, ValidationError for an unknown permission id
 */
export async function replaceOverrides(
  { email, appCode, resourceType, resourceId }: OverrideTarget,
  items: OverrideItem[],
  requireFresh: RequireFresh<ShownOverride[]> = unconditional
): Promise<ShownOverride[]> {
  await requireValidConditions(appCode, items, 'permissions')
  return accessTransaction(async (trx, changed) => {
    changed({ email, application: appCode })
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    await lockUntilCommit(trx, `overrides:${application.id}:${email}`)
    const target = { email, resourceType, resourceId }
    const onResource = () => listOverrides(target, application, trx)
    await requireFresh(onResource)
    if (items.length > 0) {
      requireKnownResourceType(await lockEntities(application, trx), resourceType)
      await requireManagedApplication({ appCode, resourceType, resourceId }, trx)
    }
    const permissions = await findReferencedPermissions(application, items, trx)
    requireValidItems(items, permissions)
    const former = await onResource()
    await userOverrides(email, application, trx).where(target).delete()
    await requireRoomForOverrides({ email, application, former, items }, trx)
    const onPermission = new Map(former.map((override) => [override.permissionId, override]))
    const now = DateTime.utc()
    const assignedAt = (item: OverrideItem) =>
      sinceWhen(item, onPermission.get(item.permissionId)) ?? now
    await insertOverrides([{ ...target, items }], assignedAt, trx)
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
function sinceWhen(item: OverrideItem, former: ShownOverride | undefined) {
  if (former === undefined || windowState(former) === 'ended') return null
  const isSame =
    former.granted === item.granted &&
    former.accessLevel === (item.accessLevel ?? null) &&
    former.condition === (item.condition ?? null)
  return isSame ? former.createdAt : null
}

interface Replacement {
  email: string
  application: Application
  former: ShownOverride[]
  items: OverrideItem[]
}

/**
 * Asks only if the items add to what is limited, so that what is beyond a limit can be reduced.
 * @throws TooManyOverrides, ConditionsTooLarge if the user's other overrides leave no room
 */
async function requireRoomForOverrides(
  { email, application, former, items }: Replacement,
  trx: TransactionClientContract
) {
  const bytes = conditionBytes(items)
  const addsItems = items.length > former.length
  const addsBytes = bytes > conditionBytes(former)
  if (!addsItems && !addsBytes) return
  const [{ $extras: others }] = await userOverrides(email, application, trx)
    .count('* as overrides')
    .select(trx.raw('sum(octet_length(condition)) as bytes'))
  if (addsItems && Number(others.overrides) + items.length > MAX_OVERRIDES) {
    throw new TooManyOverrides({ details: { limit: MAX_OVERRIDES } })
  }
  if (addsBytes && Number(others.bytes) + bytes > MAX_CONDITION_BYTES) {
    throw new ConditionsTooLarge({ details: { limit: MAX_CONDITION_BYTES } })
  }
}
