import { Overloaded } from '#core/exceptions/problems'
import type { Page } from '#core/http/paging'
import { Budget } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'
import type User from '#app/profiles/models/user'
import { type UserFilter, searchUsers } from '#app/profiles/queries/search_users'

/** A search reads the whole table, so it must not take the connections that everything else needs. */
const AT_A_TIME = 3
const PER_CALLER = 1
const MAX_WAIT_MS = 5_000

const searches = new Budget(AT_A_TIME, PER_CALLER)

/**
 * One page of user records by id, with one row more than the page holds. Searches of one caller run
 * one after another.
 *
 * @throws Overloaded when it is not the search's turn in time
 */
export async function listUsers(caller: string, filter: UserFilter, page: Page): Promise<User[]> {
  const place = await searches.reserve(caller, 1, new Deadline(MAX_WAIT_MS))
  if (place === null) {
    const detail = 'Too many user searches are in progress'
    throw new Overloaded({ detail, headers: { 'retry-after': '5' } })
  }
  try {
    return await searchUsers(filter, page)
  } finally {
    place.release()
  }
}
