import { Overloaded } from '#core/exceptions/problems'
import type { Page } from '#core/http/paging'
import { Budget } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'
import type User from '#app/profiles/models/user'
import { type UserFilter, searchUsers } from '#app/profiles/queries/search_users'

/** A search reads the whole table, so few may run: other requests need connections too. */
const MAX_CONCURRENT = 3
const MAX_PER_CALLER = 1
const MAX_WAIT_MS = 5_000

const searches = new Budget(MAX_CONCURRENT, MAX_PER_CALLER)

/**
 * Returns one row more than the page holds. Searches of one caller run one after another.
 * @throws Overloaded if the search cannot start in time
 */
export async function listUsers(caller: string, filter: UserFilter, page: Page): Promise<User[]> {
  const reservation = await searches.reserve(caller, 1, new Deadline(MAX_WAIT_MS))
  if (reservation === null) {
    const detail = 'Too many user searches are in progress'
    throw new Overloaded({ detail, headers: { 'retry-after': '5' } })
  }
  try {
    return await searchUsers(filter, page)
  } finally {
    reservation.release()
  }
}
