import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import User from '#app/profiles/models/user'

/** Databases take only so many values in one statement. */
const MOST_AT_ONCE = 1_000

/** Saves what has changed of many records. Those with the same changes share a statement. */
export async function saveUsers(users: User[], trx: TransactionClientContract) {
  const groups = Map.groupBy(users, (user) => JSON.stringify(changesOf(user)))
  for (const [changes, group] of groups) {
    if (changes === '{}') continue
    const columns = { ...JSON.parse(changes), updated_at: toDatabase(DateTime.utc()) }
    for (let start = 0; start < group.length; start += MOST_AT_ONCE) {
      const ids = group.slice(start, start + MOST_AT_ONCE).map(({ id }) => id)
      await trx.from('users').whereIn('id', ids).update(columns)
    }
    for (const user of group) user.$hydrateOriginals()
  }
}

function changesOf(user: User): Record<string, unknown> {
  const changed = Object.entries(user.$dirty).map(([name, value]) => [
    User.$getColumn(name)!.columnName,
    value instanceof DateTime ? toDatabase(value) : value,
  ])
  return Object.fromEntries(changed)
}
