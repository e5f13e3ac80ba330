import { RequestFailed } from './request_failed.ts'

export type Connection = 'off' | 'connecting' | 'live' | 'polling'

export interface LiveSource {
  /** Asks for a single-use address. */
  streamUrl(lastEventId: string): Promise<string>
  onEvent(name: string, data: unknown): void
  /** Reads what may have been missed: once for each stream, and again and again without one. */
  catchUp(): Promise<void>
  onConnection(connection: Connection): void
}

const EVENTS = ['notification', 'unread-count', 'read', 'unread', 'archived', 'snoozed']
/** Some proxies hold a stream back until it ends. */
const OPEN_WITHIN_MS = 15_000
/** A stream that ended earlier counts as failed. */
const STABLE_AFTER_MS = 10_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** Failed attempts in a row before polling begins. */
const POLL_AFTER = 2
const POLL_MS = 30_000
const HIDDEN_MS = 120_000
/** Heartbeats come every 15 seconds. */
const SILENT_MS = 50_000
/** The pause of a user who has too many streams. */
const LATER_MS = 300_000

/**
 * Keeps a stream open while the page is visible. A broken one is resumed with a new ticket, after
 * pauses that grow; meanwhile, it polls.
 */
export class Live {
  readonly #source: LiveSource
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #stream?: EventSource
  #lastEventId = ''
  #failures = 0
  #openedAt = 0
  /** The number of the current attempt; answers to earlier ones are ignored. */
  #attempt = 0
  #isStarted = false
  #controller?: AbortController

  constructor(source: LiveSource) {
    this.#source = source
  }

  start() {
    this.stop()
    this.#isStarted = true
    this.#lastEventId = ''
    const { signal } = (this.#controller = new AbortController())
    document.addEventListener('visibilitychange', () => this.#followVisibility(), { signal })
    addEventListener('online', () => this.#connectNow(), { signal })
    addEventListener('pagehide', () => this.#disconnect(), { signal })
    addEventListener('pageshow', (event) => event.persisted && this.#connectNow(), { signal })
    this.#connectNow()
  }

  stop() {
    this.#isStarted = false
    this.#controller?.abort()
    this.#disconnect()
  }

  #followVisibility() {
    if (document.hidden) return this.#after('hidden', HIDDEN_MS, () => this.#disconnect())
    this.#clear('hidden')
    if (!this.#stream) this.#connectNow()
  }

  #connectNow() {
    if (!this.#isStarted) return
    this.#disconnect()
    this.#failures = 0
    if (document.hidden) this.#followVisibility()
    void this.#connect()
  }

  #disconnect() {
    this.#attempt++
    this.#close()
    for (const name of [...this.#timers.keys()]) this.#clear(name)
    this.#source.onConnection('off')
  }

  async #connect() {
    const attempt = ++this.#attempt
    const isCurrent = () => attempt === this.#attempt
    if (!this.#timers.has('poll')) this.#source.onConnection('connecting')
    try {
      const url = await this.#source.streamUrl(this.#lastEventId)
      if (isCurrent()) this.#open(url)
    } catch (error) {
      if (isCurrent()) this.#retry(error instanceof RequestFailed ? error.retryAfterMs : 0)
    }
  }

  #open(url: string) {
    const stream = new EventSource(url)
    this.#stream = stream
    this.#after('open', OPEN_WITHIN_MS, () => this.#retry())
    // The browser would try again with the same ticket, which works only once.
    stream.addEventListener('error', () => stream === this.#stream && this.#retry())
    const hear = (event: MessageEvent<string>) => {
      this.#after('silence', SILENT_MS, () => this.#retry())
      this.#lastEventId = event.lastEventId || this.#lastEventId
      return JSON.parse(event.data) as unknown
    }
    for (const name of EVENTS) {
      stream.addEventListener(name, (event) => this.#source.onEvent(name, hear(event)))
    }
    // Whatever a list misses that is read from now on, an event reports. After `reset`, this event
    // follows as well.
    stream.addEventListener('unread-count', () => this.#becomeLive(), { once: true })
    stream.addEventListener('heartbeat', hear)
    stream.addEventListener('end', (event) => {
      const { reason } = hear(event) as { reason: string }
      if (reason === 'too_many_streams') this.#retry(LATER_MS)
    })
  }

  #becomeLive() {
    this.#clear('open')
    this.#clear('poll')
    this.#openedAt = Date.now()
    this.#source.onConnection('live')
    void this.#source.catchUp().catch(() => {})
  }

  #retry(atLeastMs = 0) {
    this.#close()
    const wasStable = this.#openedAt > 0 && Date.now() - this.#openedAt > STABLE_AFTER_MS
    this.#failures = wasStable ? 0 : this.#failures + 1
    this.#openedAt = 0
    // A ticket may be refused because what it resumes is too old.
    if (this.#failures >= POLL_AFTER) this.#lastEventId = ''
    if (!this.#timers.has('poll')) {
      if (this.#failures >= POLL_AFTER) this.#poll()
      else this.#source.onConnection('connecting')
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
    // Not all pages at the same moment.
    const spread = pause * (0.5 + Math.random() / 2)
    this.#after('retry', Math.max(spread, atLeastMs), () => void this.#connect())
  }

  #poll() {
    this.#source.onConnection('polling')
    this.#after('poll', POLL_MS, () => this.#poll())
    void this.#source.catchUp().catch(() => {})
  }

  #close() {
    this.#clear('open')
    this.#clear('silence')
    this.#stream?.close()
    this.#stream = undefined
  }

  #after(name: string, ms: number, act: () => void) {
    this.#clear(name)
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      act()
    }, ms)
    this.#timers.set(name, timer)
  }

  #clear(name: string) {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
  }
}
