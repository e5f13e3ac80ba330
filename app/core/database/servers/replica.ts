import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import db from '@adonisjs/lucid/services/db'
import postgres from '#config/postgres'
import { Deadline } from '#core/values/deadline'

/** The name of its connection in the settings of the framework. */
export const REPLICA = 'replica'

const REVISION = { name: 'replayed_revision', text: 'select revision from change_revisions' }

/** How long the primary answers alone, after the replica failed or was behind. */
const AFTER_FAILURE_MS = 1_000
const AFTER_DELAY_MS = 50
/** When the primary fails, it replays what it has received within milliseconds. */
const REPLAY_MS = 1_000

const accepted = new AsyncLocalStorage<number>()

/**
 * Lets prepared queries of `work` read from the replica, if there is one that reflects every change
 * up to `revision`. Each query that it cannot answer is answered by the primary.
 */
export function preferReplica<T>(revision: number | null, work: () => Promise<T>): Promise<T> {
  if (postgres.replicaUrl === null || revision === null) return work()
  return accepted.run(revision, work)
}

/** Undefined if the work in progress reads from the primary only. */
export const acceptedRevision = () => accepted.getStore()

/** Results of reads from the replica, for metrics. */
export const replicaReads = { answered: 0, behind: 0, failed: 0 }

/** Never causes an error. It is not used for a moment after it fails or is behind. */
class Replica {
  /** A name can lead to several servers, so freshness belongs to each connection. */
  readonly #replayed = new WeakMap<Client, number>()
  #isFailing = false
  #resumesAt = 0

  /** @returns null if the primary has to answer */
  async read<T>(revision: number, read: (connection: Client) => Promise<T>): Promise<T | null> {
    if (postgres.replicaUrl === null || !this.#mayTry()) return null
    try {
      return await this.#readOnConnection(revision, read)
    } catch {
      replicaReads.failed++
      this.#isFailing = true
      this.#resumesAt = performance.now() + AFTER_FAILURE_MS
      return null
    }
  }

  /**
   * For when the primary has failed.
   *
   * @returns null if the replica has, too, or does not catch up
   */
  async readOnceReplayed<T>(
    revision: number,
    read: (connection: Client) => Promise<T>
  ): Promise<T | null> {
    const deadline = new Deadline(REPLAY_MS)
    for (;;) {
      const result = await this.read(revision, read)
      if (result !== null || this.#isFailing || deadline.hasPassed) return result
      await pause(AFTER_DELAY_MS)
    }
  }

  /** After a failure, one read at a time finds out whether it works again. */
  #mayTry(): boolean {
    const now = performance.now()
    if (now < this.#resumesAt) return false
    if (this.#isFailing) this.#resumesAt = now + AFTER_FAILURE_MS
    return true
  }

  async #readOnConnection<T>(revision: number, read: (connection: Client) => Promise<T>) {
    const { client } = db.connection(REPLICA).getReadClient()
    const connection = (await client.acquireConnection()) as Client
    try {
      const isFresh = await this.#hasReplayed(connection, revision)
      if (this.#isFailing) [this.#isFailing, this.#resumesAt] = [false, 0]
      if (isFresh) {
        const result = await read(connection)
        replicaReads.answered++
        return result
      }
      replicaReads.behind++
      this.#resumesAt = performance.now() + AFTER_DELAY_MS
      return null
    } finally {
      client.releaseConnection(connection)
    }
  }

  /** What a server has replayed stays replayed, so it is only asked about later revisions. */
  async #hasReplayed(connection: Client, revision: number): Promise<boolean> {
    if ((this.#replayed.get(connection) ?? -1) >= revision) return true
    const { rows } = await connection.query<{ revision: string }>({
      ...REVISION,
      name: postgres.namesStatements ? REVISION.name : undefined,
    })
    const replayed = Number(rows[0].revision)
    this.#replayed.set(connection, replayed)
    return replayed >= revision
  }
}

export const replica = new Replica()
