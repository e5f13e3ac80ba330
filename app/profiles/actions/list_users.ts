import { inSearchBudget } from '#core/database/search_budget'
import type { UserFilter } from '#app/profiles/queries/findable_people'
import { type FoundPerson, searchUsers } from '#app/profiles/queries/search_users'
import type { PeoplePage } from '#app/profiles/values/people_page'

/** Returns one person more than the page holds. @throws Overloaded */
export function listUsers(
  caller: string,
  filter: UserFilter,
  page: PeoplePage
): Promise<FoundPerson[]> {
  return inSearchBudget(caller, () => searchUsers(filter, page))
}
