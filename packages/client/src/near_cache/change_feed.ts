import type { EventSourceMessage } from 'eventsource-parser'
import { type AccessChange, readChange, readRevision } from './changes.ts'
import { GarbageReceived, readEventStream } from './event_stream.ts'

const PATH = '/api/internal/changes'

/** Hears what the feed says. */
export interface FeedListener {
  /** The revision after which the feed is to continue; undefined if from now on. */
  readonly lastRevision: number | undefined
  /** Every change up to this revision has been received. */
  onHeartbeat(revision: number): void
  onChange(change: AccessChange): void
  /** Changes may have been missed before this revision. */
  onReset(revision: number): void
  /** What the feed said so far may be wrong. */
  onGarbage(): void
  /** The connection was lost or refused. */
  onInterrupted(failure: unknown): void
}

export interface FeedTiming {
  /** A feed without a heartbeat for so long is dead. */
  silenceMs: number
  /** The pauses between two attempts to connect, which grow from the one to the other. */
  minPauseMs: number
  maxPauseMs: number
  /** In milliseconds. */
  now: () => number
}

/** Follows the changes of a service, and reconnects until it is closed. */
export class ChangeFeed {
  readonly #url: URL
  readonly #key: string
  readonly #listener: FeedListener
  readonly #timing: FeedTiming
  readonly #closing = new AbortController()
  /** Attempts without a heartbeat since the last one. */
  #failures = 0

  /** @param url of the service */
  constructor(
    url: string,
    key: string,
    { listener, timing }: { listener: FeedListener; timing: FeedTiming }
  ) {
    this.#url = new URL(`${url}${PATH}`)
    this.#key = key
    this.#listener = listener
    this.#timing = timing
  }

  start() {
    void this.#run()
  }

  close() {
    this.#closing.abort()
  }

  async #run() {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const failure = await this.#follow().catch((error: unknown) => error)
      if (signal.aborted) return
      if (failure instanceof GarbageReceived) this.#listener.onGarbage()
      this.#listener.onInterrupted(failure ?? new Error('The change feed was ended'))
      this.#failures++
      await pause(this.#pauseMs(), signal)
    }
  }

  /** Until the connection ends, or is silent for too long. */
  async #follow() {
    const silence = new SilenceWatch(this.#timing)
    const last = this.#listener.lastRevision
    const headers = {
      'x-internal-api-key': this.#key,
      ...(last !== undefined && { 'last-event-id': String(last) }),
    }
    try {
      await readEventStream(this.#url, headers, {
        signal: AbortSignal.any([this.#closing.signal, silence.signal]),
        // After the process was stopped for a while, what waited for it is old.
        isWanted: () => !silence.isTooLong,
        onEvent: (event) => {
          if (event.event === 'heartbeat') silence.end()
          this.#tell(event)
        },
      })
    } finally {
      silence.stop()
    }
  }

  /** @throws Error if the event is not valid */
  #tell({ event, data }: EventSourceMessage) {
    if (event === 'access') this.#listener.onChange(readChange(data))
    if (event === 'reset') this.#listener.onReset(readRevision(data))
    if (event !== 'heartbeat') return
    this.#listener.onHeartbeat(readRevision(data))
    this.#failures = 0
  }

  /** At random, so that the clients of a service that was restarted do not come all at once. */
  #pauseMs() {
    const { minPauseMs, maxPauseMs } = this.#timing
    const most = Math.min(maxPauseMs, minPauseMs * 2 ** this.#failures)
    return minPauseMs + Math.random() * (most - minPauseMs)
  }
}

/** Aborts its signal when no heartbeat has come for too long. */
class SilenceWatch {
  readonly #timing: FeedTiming
  readonly #controller = new AbortController()
  #since: number
  #timer: Timer

  constructor(timing: FeedTiming) {
    this.#timing = timing
    this.#since = timing.now()
    this.#timer = this.#start()
  }

  get signal() {
    return this.#controller.signal
  }

  get isTooLong() {
    return this.#timing.now() - this.#since >= this.#timing.silenceMs
  }

  end() {
    this.stop()
    this.#since = this.#timing.now()
    this.#timer = this.#start()
  }

  stop() {
    clearTimeout(this.#timer)
  }

  #start() {
    const { silenceMs } = this.#timing
    const error = new Error(`The change feed was silent for ${silenceMs} ms`)
    return unreferenced(() => this.#controller.abort(error), silenceMs)
  }
}

type Timer = ReturnType<typeof setTimeout>

/** A timer that does not keep the process alive. */
function unreferenced(callback: () => void, ms: number): Timer {
  const timer: Timer & { unref?: () => void } = setTimeout(callback, ms)
  timer.unref?.()
  return timer
}

function pause(ms: number, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    const timer = unreferenced(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}
