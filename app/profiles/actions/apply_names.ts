import { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabase } from '#core/database/columns'
import type User from '#app/profiles/models/user'
import { type DatedNames, differFrom, statesAnyName } from '#app/profiles/values/names'

/**
 * Takes over names that changed at their source later than the stored ones (specification 2.1, rules 2 to 5). The
 * comparison is part of the write, and what is stated is written even where it looks the same, so that of several
 * changes the latest wins in whatever order, or at once, they are handled.
 *
 * @returns whether the names were taken over; `user` is up to date afterwards
 */
export async function applyNames(
  user: User,
  { names, changedAt }: DatedNames,
  client: QueryClientContract
): Promise<boolean> {
  const isOlder = user.namesChangedAt !== null && user.namesChangedAt >= changedAt
  if (!statesAnyName(names) || isOlder) return false
  const applied = await client
    .from('users')
    .where('id', user.id)
    .where((row) =>
      row.whereNull('names_changed_at').orWhere('names_changed_at', '<', toDatabase(changedAt))
    )
    .update({
      ...(names.firstName !== undefined && { first_name: names.firstName }),
      ...(names.lastName !== undefined && { last_name: names.lastName }),
      ...(names.displayName !== undefined && { display_name: names.displayName }),
      ...(differFrom(user, names) && { updated_at: toDatabase(DateTime.utc()) }),
      names_changed_at: toDatabase(changedAt),
    })
  await user.refresh()
  return Number(applied) > 0
}
