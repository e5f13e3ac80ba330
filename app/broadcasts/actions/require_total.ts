import { countAudience } from '#app/broadcasts/actions/count_audience'
import { AudienceChanged } from '#app/broadcasts/exceptions'
import type { BroadcastAuthor, BroadcastRequest } from '#app/broadcasts/values/broadcast_request'

interface ExpectedRequest extends BroadcastRequest {
  /** The size of the audience that the author expects */
  expectedTotal?: number
}

/**
 * Keeps authors from writing to more users than they expect (broadcasts.md#creation-checks).
 * @throws AudienceChanged, and what `createBroadcast` throws
 */
export async function requireTotal(
  appCode: string,
  { expectedTotal, ...request }: ExpectedRequest,
  author: BroadcastAuthor
) {
  if (expectedTotal === undefined) return
  const total = await countAudience(appCode, request, author)
  if (total !== expectedTotal) throw new AudienceChanged({ details: { total } })
}
