import { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabase } from '#core/database/columns'
import type User from '#app/profiles/models/user'
import { type DatedNames, type Names, statesAnyName } from '#app/profiles/values/names'

/**
 * Takes over names that changed at their source later than the stored ones (specification 2.1, rules 3 to 5). The
 * comparison is part of the write, so that of two sources at once the later change wins whichever is handled first.
 *
 * @returns whether the names were taken over; `user` is up to date afterwards
 */
export async function applyNames(
  user: User,
  { names, changedAt }: DatedNames,
  client: QueryClientContract
): Promise<boolean> {
  const changed = changesOf(user, names)
  const isOlder = user.namesChangedAt !== null && user.namesChangedAt >= changedAt
  if (!statesAnyName(changed) || isOlder) return false
  const applied = await client
    .from('users')
    .where('id', user.id)
    .where((row) =>
      row.whereNull('names_changed_at').orWhere('names_changed_at', '<', toDatabase(changedAt))
    )
    .update({
      ...('firstName' in changed && { first_name: changed.firstName }),
      ...('lastName' in changed && { last_name: changed.lastName }),
      ...('displayName' in changed && { display_name: changed.displayName }),
      names_changed_at: toDatabase(changedAt),
      updated_at: toDatabase(DateTime.utc()),
    })
  await user.refresh()
  return Number(applied) > 0
}

function changesOf(user: User, names: Names): Names {
  const changed: Names = {}
  for (const field of ['firstName', 'lastName', 'displayName'] as const) {
    if (names[field] !== undefined && names[field] !== user[field]) changed[field] = names[field]
  }
  return changed
}
