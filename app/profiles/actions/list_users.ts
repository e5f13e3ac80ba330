import { inSearchBudget } from '#core/database/search_budget'
import type { Page } from '#core/http/paging'
import type User from '#app/profiles/models/user'
import { type UserFilter, searchUsers } from '#app/profiles/queries/search_users'

/** Returns one row more than the page holds. @throws Overloaded */
export async function listUsers(caller: string, filter: UserFilter, page: Page): Promise<User[]> {
  return inSearchBudget(caller, async () => searchUsers(filter, page))
}
