import {
  arrivalOf,
  changeOf,
  newChanges,
  newNotifications,
  wokenBetween,
} from '#app/inbox/queries/news'
import type { InboxNews } from '#app/inbox/stream/inbox_news'
import inboxConfig from '#config/inbox'

/** Reads what happened in all inboxes since the last time, in all processes. */
export class NewsReader {
  readonly #notifications = newNotifications()
  readonly #changes = newChanges()
  #wokenUntil = 0
  #readAt = 0

  /** Everything until then has been read, also what was committed late. */
  get settledAt(): number {
    return this.#readAt - inboxConfig.settleMs
  }

  async start() {
    this.#wokenUntil = Date.now()
    await this.#notifications.start()
    await this.#changes.start()
  }

  /**
   * If it fails, the next call returns what this one would have.
   * @param isFollowed whether anyone follows the inbox of an address
   */
  async read(isFollowed: (email: string) => boolean): Promise<InboxNews[]> {
    const now = Date.now()
    await this.#changes.read()
    await this.#notifications.read()
    // Last: the wake of an item that was snoozed again must not be marked as received.
    const woken = await this.#wokenUntilNow(now, isFollowed)
    const [changes, stored] = [this.#changes.take(), this.#notifications.take()]
    this.#wokenUntil = now
    this.#readAt = now
    const byEmail = new Map<string, InboxNews>()
    const newsOf = (email: string): InboxNews => {
      const known = byEmail.get(email) ?? { email, changes: [], woken: [], arrived: [] }
      byEmail.set(email, known)
      return known
    }
    for (const row of changes) {
      if (isFollowed(row.email)) newsOf(row.email).changes.push(changeOf(row))
    }
    for (const item of woken) newsOf(item.email).woken.push(item)
    for (const row of stored) {
      if (row.in_inbox && isFollowed(row.email)) newsOf(row.email).arrived.push(arrivalOf(row))
    }
    return [...byEmail.values()]
  }

  async #wokenUntilNow(now: number, isFollowed: (email: string) => boolean) {
    const followed = []
    for await (const woken of wokenBetween(this.#wokenUntil, now)) {
      followed.push(...woken.filter(({ email }) => isFollowed(email)))
    }
    return followed
  }
}
