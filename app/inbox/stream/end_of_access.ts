import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import type { AccessScope } from '#core/events/access_changed'
import { inParallel } from '#core/values/in_parallel'
import { isStillSignedIn } from '#app/auth/panel/is_still_authorized'
import { accessCaches } from '#app/checks/invalidation/access_caches'
import type { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { inboxStreams } from '#app/inbox/stream/inbox_streams'
import inboxConfig from '#config/inbox'

const PARALLEL = 4

/** Ends the streams of users who were deactivated or erased, and of sessions that were ended. */
export class EndOfAccess {
  #waiting = new Set<InboxFollower>()
  #isChecking = false

  constructor() {
    accessCaches.add(this)
    setInterval(() => this.#checkSessions(), inboxConfig.heartbeatMs).unref()
  }

  /** Changes within one application do not affect records of users. */
  invalidate(scopes: AccessScope[]) {
    if (inboxStreams.size === 0) return
    const users = scopes.filter(({ application }) => application === undefined)
    for (const { email } of users) {
      for (const follower of inboxStreams.followers(email)) this.#waiting.add(follower)
    }
    void this.#check()
  }

  #checkSessions() {
    for (const follower of inboxStreams.followers()) {
      if (follower.caller.sessionId !== undefined) this.#waiting.add(follower)
    }
    void this.#check()
  }

  async #check() {
    if (this.#isChecking) return
    this.#isChecking = true
    while (this.#waiting.size > 0) {
      const followers = [...this.#waiting]
      this.#waiting.clear()
      await inParallel(followers, PARALLEL, checkOne)
    }
    this.#isChecking = false
  }
}

async function checkOne(follower: InboxFollower) {
  if (follower.isClosed) return
  try {
    if (!(await isStillSignedIn(follower.caller))) follower.end('signed_out')
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'Could not check the user of a stream')
    // Access is not certain any more. The client tries again.
    follower.end('shutdown')
  }
}

export const endOfAccess = new EndOfAccess()
