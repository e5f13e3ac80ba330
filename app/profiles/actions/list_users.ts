import { inSearchBudget } from '#core/database/search_budget'
import type { UserFilter } from '#app/profiles/queries/findable_users'
import { type FoundUser, searchUsers } from '#app/profiles/queries/search_users'
import type { UsersPage } from '#app/profiles/values/users_page'

/** Returns one user more than the page holds. @throws Overloaded */
export function listUsers(
  caller: string,
  filter: UserFilter,
  page: UsersPage
): Promise<FoundUser[]> {
  return inSearchBudget(caller, () => searchUsers(filter, page))
}
