import type { ConnectionContract } from '@adonisjs/lucid/types/database'
import { addWait } from '#core/database/own_time'
import { ConnectionTurns, TIMED_OUT } from '#core/database/connection_turns'
import { currentCaller } from '#core/http/current_caller'

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
    const askedAt = performance.now()
    const until = askedAt + acquireTimeoutMillis
    const hasWaited = await turns.take(caller)
    const takenAt = performance.now()
    if (hasWaited) addWait(takenAt - askedAt)
    const leave = () => turns.leave(caller, performance.now() - takenAt)
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
    try {
      await release(connection)
    } finally {
      leave?.()
    }
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
