import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import type User from '#app/profiles/models/user'
import { type Names, type NameChanges, limitToPresent } from '#app/profiles/values/names'

const COLUMNS: [keyof Names, string][] = [
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['displayName', 'display_name'],
]

/**
 * Saves each name that is not older than the stored one.
 *
 * @returns whether any name changed; `user` is refreshed
 */
export async function applyNameChanges(
  user: User,
  names: NameChanges,
  trx: TransactionClientContract
): Promise<boolean> {
  const before = COLUMNS.map(([name]) => user[name])
  for (const [name, column] of COLUMNS) {
    const change = names[name]
    if (change === undefined) continue
    const at = toDatabaseTimestamp(limitToPresent(change.changedAt))
    const time = `${column}_changed_at`
    await trx
      .from('users')
      .where('id', user.id)
      .where((row) => row.whereNull(time).orWhere(time, '<=', at))
      .update({ [column]: change.value, [time]: at })
    await trx
      .from('users')
      .where('id', user.id)
      .where((row) => row.whereNull('names_changed_at').orWhere('names_changed_at', '<', at))
      .update({ names_changed_at: at })
  }
  await user.refresh()
  const isRenamed = COLUMNS.some(([name], index) => user[name] !== before[index])
  if (isRenamed) await user.merge({ updatedAt: DateTime.utc() }).save()
  return isRenamed
}
