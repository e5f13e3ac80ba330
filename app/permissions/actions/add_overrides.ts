import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChanges } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { accessTransaction } from '#core/database/access_transaction'
import type { AccessScope } from '#core/events/access_changed'
import { Turns } from '#core/values/turns'
import Application from '#app/applications/models/application'
import { lockPermissions } from '#app/permissions/actions/lock_permissions'
import {
  lockEntities,
  requireKnownResourceType,
  requireManagedApplication,
  requireValidItems,
} from '#app/permissions/actions/override_rules'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import { ConditionsTooLarge, TooManyOverrides } from '#app/permissions/exceptions'
import ResourceOverride from '#app/permissions/models/resource_override'
import { insertOverrides } from '#app/permissions/queries/insert_overrides'
import {
  type ReferencedPermission,
  findReferencedPermissions,
} from '#app/permissions/queries/referenced_rows'
import { overridesState } from '#app/permissions/transformers/audit_states'
import { type OverrideList, MAX_OVERRIDES } from '#app/permissions/values/overrides'
import { MAX_CONDITION_BYTES, conditionBytes } from '#app/permissions/values/condition_bytes'
import { toWindow } from '#app/permissions/values/time_window'

/** Lists that are stored together. */
const CHUNK = 200
/** Users whose overrides are counted together. Each can have thousands. */
const COUNTED = 10
/** Users whose decisions are dropped one by one. With more, those of the application are. */
const MAX_SCOPES = 1_000

/** Runs what checks a list, so that its problems can say where the list is. */
type Locate<List> = (list: List, check: () => Promise<void>) => Promise<void>

/**
 * Gives users overrides on resources on which they have none, many at a time.
 * @throws what `replaceOverrides` throws
 */
export async function addOverrides<List extends OverrideList>(
  appCode: string,
  lists: List[],
  located: Locate<List>
): Promise<void> {
  // Queries of SQLite never wait, so they would leave others no turn.
  const turns = new Turns()
  await accessTransaction(async (trx, changed) => {
    const application = await Application.withCode(appCode, trx)
    await lockPermissions(application, trx)
    const items = lists.flatMap((list) => list.items)
    const permissions = await findReferencedPermissions(application, items, trx)
    const entities = await lockEntities(application, trx)
    for (let start = 0; start < lists.length; start += CHUNK) {
      const chunk = lists.slice(start, start + CHUNK)
      const room = await roomOf(chunk, application, { trx, turns })
      for (const list of chunk) {
        if (turns.isOver) await turns.next()
        await located(list, async () => {
          await requireValidConditions(appCode, list.items, 'permissions')
          requireKnownResourceType(entities, list.resourceType)
          await requireManagedApplication({ ...list, appCode }, trx)
          requireValidItems(list.items, permissions)
          takeRoom(list, room)
        })
      }
      await insert(chunk, { application, permissions }, trx)
      if (turns.isOver) await turns.next()
    }
    for (const scope of scopesOf(appCode, lists)) changed(scope)
  })
}

function scopesOf(application: string, lists: OverrideList[]): AccessScope[] {
  const emails = new Set(lists.map(({ email }) => email))
  return emails.size > MAX_SCOPES
    ? [{ application }]
    : [...emails].map((email) => ({ email, application }))
}

/** What a user can still get. */
interface Room {
  overrides: number
  conditionBytes: number
}

/** By user. */
async function roomOf(
  lists: OverrideList[],
  application: Application,
  { trx, turns }: { trx: TransactionClientContract; turns: Turns }
): Promise<Map<string, Room>> {
  const emails = [...new Set(lists.map(({ email }) => email))]
  const room = new Map<string, Room>()
  for (let start = 0; start < emails.length; start += COUNTED) {
    const some = emails.slice(start, start + COUNTED)
    const stored = await countOverrides(some, application, trx)
    for (const email of some) {
      const { overrides, bytes } = stored.get(email) ?? { overrides: 0, bytes: 0 }
      room.set(email, {
        overrides: MAX_OVERRIDES - Number(overrides),
        conditionBytes: MAX_CONDITION_BYTES - Number(bytes),
      })
    }
    if (turns.isOver) await turns.next()
  }
  return room
}

interface Stored {
  email: string
  overrides: number | string
  bytes: number | string | null
}

async function countOverrides(
  emails: string[],
  application: Application,
  trx: TransactionClientContract
): Promise<Map<string, Stored>> {
  const rows = await ResourceOverride.query({ client: trx })
    .whereIn('email', emails)
    .whereIn('permissionId', (own) =>
      own.from('permissions').where('application_id', application.id).select('id')
    )
    .groupBy('email')
    .select('email', trx.raw('sum(octet_length(condition)) as bytes'))
    .count('* as overrides')
    .pojo<Stored>()
  return new Map(rows.map((row) => [row.email, row]))
}

/** Accepts a list without conditions even if those of the user already exceed the limit. */
function takeRoom({ email, items }: OverrideList, room: Map<string, Room>) {
  const left = room.get(email)!
  const bytes = conditionBytes(items)
  if (items.length > left.overrides) {
    throw new TooManyOverrides({ details: { limit: MAX_OVERRIDES } })
  }
  if (bytes > Math.max(0, left.conditionBytes)) {
    throw new ConditionsTooLarge({ details: { limit: MAX_CONDITION_BYTES } })
  }
  left.overrides -= items.length
  left.conditionBytes -= bytes
}

interface Definitions {
  application: Application
  permissions: ReadonlyMap<number, ReferencedPermission>
}

async function insert(
  lists: OverrideList[],
  { application, permissions }: Definitions,
  trx: TransactionClientContract
) {
  const now = DateTime.utc()
  await insertOverrides(lists, () => now, trx)
  const changes = lists.map((list) => {
    const overrides = list.items.map((item) => ({
      permission: permissions.get(item.permissionId)!,
      granted: item.granted,
      accessLevel: item.accessLevel ?? null,
      condition: item.condition ?? null,
      ...toWindow(item),
    }))
    return {
      action: 'user.overrides_replaced' as const,
      application,
      target: userTarget(list.email),
      before: overridesState(list, []),
      after: overridesState(list, overrides),
      email: list.email,
    }
  })
  await recordChanges(trx, changes)
}
