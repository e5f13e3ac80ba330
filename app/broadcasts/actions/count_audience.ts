import { checkBroadcastRequest } from '#app/broadcasts/actions/check_broadcast_request'
import { audienceSources, countAudienceMembers } from '#app/broadcasts/queries/audience_sources'
import type { BroadcastAuthor, BroadcastRequest } from '#app/broadcasts/values/broadcast_request'

/** Counts the users a broadcast would reach. Throws like `createBroadcast`. */
export async function countAudience(
  appCode: string,
  request: BroadcastRequest,
  author: BroadcastAuthor
): Promise<number> {
  const { application, audience } = await checkBroadcastRequest(appCode, request, author)
  if (request.audience.kind === 'emails') return new Set(request.audience.emails).size
  return countAudienceMembers(audienceSources(audience, application.id))
}
