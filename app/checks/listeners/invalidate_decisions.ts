import type AccessChanged from '#core/events/access_changed'
import { decisions } from '#app/checks/decisions'
import { accountBindings } from '#app/profiles/actions/resolve_account_state'
import { workerChannel } from '#app/checks/invalidation/worker_channel'

/** Invalidates the caches of this process and of the other workers. */
export default class InvalidateDecisions {
  handle({ scopes }: AccessChanged) {
    decisions.invalidate(scopes)
    accountBindings.invalidate(scopes)
    workerChannel.send(scopes)
  }
}
