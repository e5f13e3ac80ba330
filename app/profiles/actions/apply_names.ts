import { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import User from '#app/profiles/models/user'
import {
  type DatedNames,
  namesDiffer,
  limitToPresent,
  hasAnyName,
} from '#app/profiles/values/names'

/**
 * The update compares the times itself, so that the latest of several concurrent changes wins
 * (profiles.md#newest-change-wins).
 *
 * @returns whether the names were saved; `user` is refreshed
 */
export async function applyNames(
  user: User,
  { names, changedAt: reportedAt }: DatedNames,
  client: QueryClientContract
): Promise<boolean> {
  const changedAt = limitToPresent(reportedAt)
  const isOlder = user.namesChangedAt !== null && user.namesChangedAt >= changedAt
  if (!hasAnyName(names) || isOlder) return false
  const applied = await client
    .from('users')
    .where('id', user.id)
    .where((row) =>
      row
        .whereNull('names_changed_at')
        .orWhere('names_changed_at', '<', toDatabaseTimestamp(changedAt))
    )
    .update({
      ...column('first_name', names.firstName, changedAt),
      ...column('last_name', names.lastName, changedAt),
      ...column('display_name', names.displayName, changedAt),
      ...(namesDiffer(user, names) && { updated_at: toDatabaseTimestamp(DateTime.utc()) }),
      names_changed_at: toDatabaseTimestamp(changedAt),
    })
  const current = await User.find(user.id, { client })
  // The user may have been erased in the meantime.
  if (current) user.fill(current.$attributes).$hydrateOriginals()
  return Number(applied) > 0
}

function column(name: string, value: string | null | undefined, changedAt: DateTime) {
  return (
    value !== undefined && { [name]: value, [`${name}_changed_at`]: toDatabaseTimestamp(changedAt) }
  )
}
