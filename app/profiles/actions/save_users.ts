import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import type { Change } from '#core/audit/change'
import { recordChanges } from '#core/audit/record_change'
import { toDatabaseTimestamp } from '#core/database/columns'
import { userChange, userState } from '#app/profiles/actions/record_user_change'
import User from '#app/profiles/models/user'

/** Databases limit the number of parameters of a statement. */
const BATCH_SIZE = 1_000

/** Saves the changes of many records. Records with the same changes share a statement. */
export async function saveUsers(users: User[], trx: TransactionClientContract) {
  const groups = Map.groupBy(users, (user) => JSON.stringify(changesOf(user)))
  const recorded: Change[] = []
  for (const [changes, group] of groups) {
    if (changes === '{}') continue
    const columns = { ...JSON.parse(changes), updated_at: toDatabaseTimestamp(DateTime.utc()) }
    for (let start = 0; start < group.length; start += BATCH_SIZE) {
      const ids = group.slice(start, start + BATCH_SIZE).map(({ id }) => id)
      await trx.from('users').whereIn('id', ids).update(columns)
    }
    for (const user of group) {
      recorded.push(userChange(userState(user.$original), user))
      user.$hydrateOriginals()
    }
  }
  await recordChanges(trx, recorded)
}

function changesOf(user: User): Record<string, unknown> {
  const changed = Object.entries(user.$dirty).map(([name, value]) => [
    User.$getColumn(name)!.columnName,
    value instanceof DateTime ? toDatabaseTimestamp(value) : value,
  ])
  return Object.fromEntries(changed)
}
