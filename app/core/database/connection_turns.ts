import type { ConnectionContract } from '@adonisjs/lucid/types/database'
import { SERVICE, currentCaller } from '#core/http/current_caller'

/** The part of the connections that one caller leaves to others. */
const LEFT_TO_OTHERS = 0.25

/**
 * How long SQLite, which is synchronous, may be used before anything else gets a turn: as long as
 * everything else took since, so that a flood of other requests cannot starve it, within limits.
 */
const SHORTEST_SLICE_MS = 5
const LONGEST_SLICE_MS = 50

/** As the library names it, so that the problem is the same. */
const TIMED_OUT = 'Timeout acquiring a connection, because the database is busy'

type Proceed = () => void

interface Options {
  /** How many connections there are. */
  capacity: number
  timeoutMs: number
  /** Whether statements block the process while they run. */
  isSynchronous: boolean
}

/**
 * Gives the connections of a pool to callers in turn: to the one who holds the fewest, and among
 * those to the one who was served longest ago. The pool itself would serve all requests of one
 * caller before that of another one who came later, so slow reads of one user could keep everyone
 * waiting. A database that blocks the process does so only for a slice of time in each turn of the
 * event loop.
 */
export class ConnectionTurns {
  readonly #options: Options
  readonly #mostPerCaller: number
  readonly #held = new Map<unknown, number>()
  /** In the order in which it is their turn. */
  readonly #waiting = new Map<unknown, Proceed[]>()
  #free: number
  /** In this turn of the event loop. */
  #usedMs = 0
  #sliceMs = SHORTEST_SLICE_MS
  /** When this turn began, a `performance.now()` timestamp like the next. */
  #turnBegan = performance.now()
  /** Of the only connection of a database that blocks. */
  #grantedAt = 0
  #isEndPlanned = false

  constructor(options: Options) {
    this.#options = options
    this.#free = options.capacity
    this.#mostPerCaller = Math.ceil(options.capacity * (1 - LEFT_TO_OTHERS))
  }

  /**
   * Waits until it is the caller's turn.
   *
   * @returns whether the caller had to wait
   * @throws Error if that takes too long
   */
  async take(caller: unknown): Promise<boolean> {
    if (this.#hasRoom && this.#mayHoldMore(caller)) {
      this.#grant(caller)
      return false
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(caller, proceed)
        reject(new Error(TIMED_OUT))
      }, this.#options.timeoutMs)
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), proceed])
    })
    return true
  }

  /** Ends what a caller took. */
  leave(caller: unknown) {
    const held = this.#held.get(caller)! - 1
    if (held === 0) this.#held.delete(caller)
    else this.#held.set(caller, held)
    this.#free++
    if (this.#options.isSynchronous) {
      this.#usedMs += performance.now() - Math.max(this.#grantedAt, this.#turnBegan)
      this.#planEnd()
    }
    this.#serveWaiting()
  }

  /** How many requests wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
  }

  get #hasRoom(): boolean {
    return this.#free > 0 && this.#usedMs < this.#sliceMs
  }

  #mayHoldMore(caller: unknown): boolean {
    return caller === SERVICE || (this.#held.get(caller) ?? 0) < this.#mostPerCaller
  }

  #grant(caller: unknown) {
    this.#free--
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1)
    if (!this.#options.isSynchronous) return
    this.#grantedAt = performance.now()
    this.#planEnd()
  }

  #planEnd() {
    if (this.#isEndPlanned) return
    this.#isEndPlanned = true
    setImmediate(() => this.#beginTurn())
  }

  #beginTurn() {
    const now = performance.now()
    const others = now - this.#turnBegan - this.#usedMs
    this.#sliceMs = Math.min(Math.max(others, SHORTEST_SLICE_MS), LONGEST_SLICE_MS)
    this.#turnBegan = now
    this.#usedMs = 0
    this.#isEndPlanned = false
    this.#serveWaiting()
  }

  #serveWaiting() {
    while (this.#hasRoom) {
      const caller = this.#next()
      if (caller === undefined) return
      const [proceed, ...others] = this.#waiting.get(caller)!
      this.#waiting.delete(caller)
      if (others.length > 0) this.#waiting.set(caller, others)
      this.#grant(caller)
      proceed()
    }
  }

  #next(): unknown {
    let next: unknown
    let fewest = Infinity
    for (const caller of this.#waiting.keys()) {
      const held = this.#held.get(caller) ?? 0
      if (held < fewest && this.#mayHoldMore(caller)) [next, fewest] = [caller, held]
    }
    return next
  }

  #remove(caller: unknown, proceed: Proceed) {
    const others = this.#waiting.get(caller)!.filter((other) => other !== proceed)
    if (others.length > 0) this.#waiting.set(caller, others)
    else this.#waiting.delete(caller)
  }
}

interface Pool {
  max: number
  acquireTimeoutMillis: number
}

const turnsByPool = new WeakMap<object, ConnectionTurns>()

/** How many requests wait for a connection of this pool. */
export const waitingFor = (pool: object): number => turnsByPool.get(pool)?.waiting ?? 0

/** Makes those who use a connection of the framework take turns. */
export function shareConnections({ client: knex, pool }: ConnectionContract) {
  const client = knex!.client
  const { max, acquireTimeoutMillis } = pool as unknown as Pool
  const turns = new ConnectionTurns({
    capacity: max,
    timeoutMs: acquireTimeoutMillis,
    isSynchronous: client.driverName === 'better-sqlite3',
  })
  turnsByPool.set(pool!, turns)
  const acquire = client.acquireConnection.bind(client) as () => Promise<object>
  const release = client.releaseConnection.bind(client) as (connection: object) => Promise<void>
  const holders = new WeakMap<object, () => void>()
  client.acquireConnection = async () => {
    const caller = currentCaller()
    const until = performance.now() + acquireTimeoutMillis
    const hasWaited = await turns.take(caller)
    const leave = () => turns.leave(caller)
    const acquiring = acquire().then(
      (connection) => {
        holders.set(connection, leave)
        return connection
      },
      (error: unknown) => {
        leave()
        throw error
      }
    )
    // The pool limits only the wait for itself.
    return hasWaited ? beforeTimeout(acquiring, until, client.releaseConnection) : acquiring
  }
  client.releaseConnection = async (connection: object) => {
    const leave = holders.get(connection)
    holders.delete(connection)
    await release(connection)
    leave?.()
  }
}

/** A connection that comes too late is released. */
function beforeTimeout(
  acquiring: Promise<object>,
  until: number,
  release: (connection: object) => Promise<void>
): Promise<object> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(TIMED_OUT))
      acquiring.then(release, () => {})
    }, until - performance.now())
    acquiring.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
