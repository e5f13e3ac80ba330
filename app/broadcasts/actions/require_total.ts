import { inSearchBudget } from '#core/database/work_budgets'
import { countAudience } from '#app/broadcasts/actions/count_audience'
import { AudienceChanged } from '#app/broadcasts/exceptions'
import type { BroadcastAuthor, BroadcastRequest } from '#app/broadcasts/values/broadcast_request'

interface ExpectedRequest extends BroadcastRequest {
  /** The size of the audience that the author expects */
  expectedTotal?: number
}

/**
 * Keeps authors from writing to more users than they expect (broadcasts.md#creation-checks).
 * @param caller For the search budget
 * @throws AudienceChanged, Overloaded, and what `createBroadcast` throws
 */
export async function requireTotal(
  appCode: string,
  { expectedTotal, ...request }: ExpectedRequest,
  author: BroadcastAuthor,
  caller: string
) {
  if (expectedTotal === undefined) return
  const total = await inSearchBudget(caller, () => countAudience(appCode, request, author))
  if (total !== expectedTotal) throw new AudienceChanged({ details: { total } })
}
