import { Forbidden } from '#app/auth/exceptions'
import type { Audience } from '#app/broadcasts/values/audience'
import type { BroadcastAuthor } from '#app/broadcasts/values/broadcast_request'

/** Administrators of single applications cannot write to users of others. @throws Forbidden */
export function requireReachable({ kind }: Pick<Audience, 'kind'>, author: BroadcastAuthor) {
  if (kind !== 'all' || author.mayReachEveryone) return
  throw new Forbidden({ details: { needs: { allApplications: true, level: 'edit' } } })
}
