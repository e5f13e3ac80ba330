import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import type { AccessScope } from '#core/events/access_changed'
import { inParallel } from '#core/values/in_parallel'
import PanelSession from '#app/auth/models/panel_session'
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
  #isReadingSessions = false
  #sessionsReadAt = performance.now()

  constructor() {
    accessCaches.add(this)
    setInterval(() => this.#checkSessions(), inboxConfig.sessionCheckMs).unref()
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

  /** With one query for all of them, which may fail for as long as a heartbeat takes. */
  async #checkSessions() {
    if (this.#isReadingSessions) return
    this.#isReadingSessions = true
    const followers = [...inboxStreams.followers()].filter(hasSession)
    const current = await currentSessions(followers.map(({ caller }) => caller.sessionId!))
    const now = performance.now()
    if (current !== null) this.#sessionsReadAt = now
    const isCertain = now - this.#sessionsReadAt <= inboxConfig.heartbeatMs
    for (const follower of followers) {
      if (!(current?.has(follower.caller.sessionId!) ?? isCertain)) this.#waiting.add(follower)
    }
    this.#isReadingSessions = false
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

const hasSession = ({ caller }: InboxFollower) => caller.sessionId !== undefined

/** The ids of those sessions that have not ended; null if they cannot be read. */
async function currentSessions(ids: number[]): Promise<Set<number> | null> {
  if (ids.length === 0) return new Set()
  try {
    const rows = await PanelSession.current()
      .whereIn('id', [...new Set(ids)])
      .select('id')
    return new Set(rows.map(({ id }) => id))
  } catch {
    return null
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
