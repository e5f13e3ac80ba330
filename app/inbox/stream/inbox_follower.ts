import type { ServerResponse } from 'node:http'
import { EventStream } from '#core/http/event_stream'
import type { Caller } from '#app/auth/values/caller'
import { type StreamPosition, formatEventId, isChangeAfter } from '#app/inbox/stream/event_id'
import { RecentMarks } from '#app/inbox/stream/recent_marks'
import inboxConfig from '#config/inbox'

/** An event that is new to every client without a mark of it. */
export interface InboxEvent {
  /** Null if it may be repeated. */
  mark: string | null
  /** When it happened, in milliseconds since 1970. */
  at: number
  /** The text that clients get; empty if they get none. */
  text: string
  /** Items that it hides. Earlier events about them are outdated. */
  hides?: readonly number[]
  /** Items that it shows, unless an earlier event did. */
  shows?: readonly ShownItem[]
  /** Marks of events that may happen again from now on. */
  forgets?: string[]
}

interface ShownItem {
  id: number
  text: string
}

/** Why a stream ended; clients come back unless it is `too_many_streams`. */
export type EndReason = 'token_expired' | 'signed_out' | 'too_many_streams' | 'shutdown'

export const formatEvent = (name: string, data: object) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** A client that follows its user's inbox. */
export class InboxFollower extends EventStream {
  /** Until when every event was offered. Set once it gets the live events of the process. */
  #settledUntil: (() => number) | null = null
  #horizon: number
  #liveSince = Infinity
  readonly #marks = new Map<string, number>()
  readonly #recent = new RecentMarks()
  /** Marks of changes that it got live while it reads earlier ones. */
  #overtaking: Set<string> | null = null

  /** @param position what the client has received; null for a client that starts with now */
  constructor(
    readonly caller: Pick<Caller, 'email' | 'subject' | 'expiresAt' | 'sessionId'>,
    readonly position: StreamPosition | null,
    connection: Pick<ServerResponse, 'once' | 'destroy' | 'destroyed'>
  ) {
    super(connection, inboxConfig)
    const now = Date.now()
    this.#horizon = Math.min(position?.horizon ?? now, now - inboxConfig.settleMs)
    for (const mark of position?.marks ?? []) this.#mark(mark, now)
  }

  get horizon() {
    return this.#horizon
  }

  /** Whether it gets live events of the process; before, it reads what it missed. */
  get isLive() {
    return this.#settledUntil !== null
  }

  /** On the clock of `performance`. It reads by itself what was found before. */
  get liveSince() {
    return this.#liveSince
  }

  goLive(settledUntil: () => number) {
    this.#settledUntil = settledUntil
    this.#liveSince = Math.min(this.#liveSince, performance.now())
  }

  /** Every event until then was received or is marked. */
  settle(until: number) {
    if (until <= this.#horizon) return
    this.#horizon = until
    for (const [mark, at] of this.#marks) if (at < until) this.forget(mark)
  }

  lacks(mark: string) {
    return !this.#marks.has(mark)
  }

  /** The event of this mark is new to it again. */
  forget(mark: string) {
    this.#marks.delete(mark)
    this.#recent.delete(mark)
  }

  /** Those with a higher id. */
  forgetChangesAfter(id: number) {
    for (const mark of this.#marks.keys()) if (isChangeAfter(id, mark)) this.forget(mark)
  }

  /** Remembers the changes that it gets live from now on, or no longer. */
  watchLiveChanges(isOn: boolean) {
    this.#overtaking = isOn ? new Set() : null
  }

  /** @returns whether there were any since it watches, or since the last call */
  forgetLiveChanges(): boolean {
    const marks = [...(this.#overtaking ?? [])]
    for (const mark of marks) this.forget(mark)
    this.#overtaking?.clear()
    return marks.length > 0
  }

  /**
   * Marks events as received.
   * @param shown the ids of the items that these events showed and did not hide again
   * @returns the text of those that are new to the client
   */
  receive(events: readonly InboxEvent[], shown = new Set<number>()): string {
    let text = ''
    for (const event of events) {
      if (!this.#accept(event)) continue
      const told = event.text + textsOfNew(event, shown)
      if (told !== '') text += this.#identified(told)
    }
    return text
  }

  /** For events that the client has no need to receive. */
  markReceived(events: readonly InboxEvent[]) {
    for (const event of events) this.#accept(event)
  }

  /**
   * @param state what is sent only together with events
   * @param shown see `receive`
   */
  deliver(events: readonly InboxEvent[], state: string, shown: Set<number>) {
    for (const { mark } of this.#overtaking ? events : []) {
      if (mark !== null && this.lacks(mark) && isChangeAfter(0, mark)) this.#overtaking!.add(mark)
    }
    const news = this.receive(events, shown)
    if (news !== '') this.offer(news + this.#identified(state))
  }

  /** Sends the client its position. */
  beat() {
    this.offer(this.#identified(formatEvent('heartbeat', {})))
  }

  tell(text: string) {
    this.offer(this.#identified(text))
  }

  end(reason: EndReason) {
    this.offer(formatEvent('end', { reason }))
    this.close()
  }

  /** @returns whether the event is new to the client */
  #accept({ mark, at, forgets = [] }: InboxEvent): boolean {
    if (mark !== null && this.#marks.has(mark)) return false
    for (const forgotten of forgets) this.forget(forgotten)
    if (mark !== null) this.#mark(mark, at)
    return true
  }

  #mark(mark: string, at: number) {
    this.#marks.set(mark, at)
    this.#recent.add(mark)
  }

  #identified(text: string) {
    if (this.#settledUntil) this.settle(this.#settledUntil())
    return `id: ${formatEventId(this.#horizon, this.#recent.text)}\n${text}`
  }
}

function textsOfNew({ hides = [], shows = [] }: InboxEvent, shown: Set<number>): string {
  for (const id of hides) shown.delete(id)
  const fresh = shows.filter(({ id }) => !shown.has(id))
  for (const { id } of fresh) shown.add(id)
  return fresh.map(({ text }) => text).join('')
}
