import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import postgres from '#config/postgres'
import { readAtOneMoment } from '#core/database/transaction'
import { Problem } from '#core/exceptions/problem'
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

interface Reading<T> {
  result: T
  /** The last change that it reflects. */
  revision: number
}

/** Never causes an error. It is not used for a moment after it fails or is behind. */
class Replica {
  /** A name can lead to several servers, so freshness belongs to each connection. */
  readonly #replayed = new WeakMap<Client, number>()
  #isFailing = false
  #resumesAt = 0

  /** @returns null if the primary has to answer */
  async read<T>(revision: number, read: (connection: Client) => Promise<T>): Promise<T | null> {
    return this.#try(() => this.#readOnConnection(revision, read))
  }

  /**
   * Gives `read` a transaction on one server, which sees it as it was at one moment.
   *
   * @returns null if the primary has to answer
   * @throws only problems that `read` throws
   */
  async readAtOneMoment<T>(
    revision: number,
    read: (trx: TransactionClientContract) => Promise<T>
  ): Promise<Reading<T> | null> {
    const attempt = await this.#try(() => this.#attemptAtOneMoment(revision, read))
    if (attempt === null) return null
    if ('result' in attempt) {
      replicaReads.answered++
      return attempt
    }
    if (attempt.error instanceof Problem) throw attempt.error
    // It says nothing about other reads, such as a timeout of a large search.
    replicaReads.failed++
    return null
  }

  /**
   * Repeats an attempt to read when the primary has failed.
   *
   * @returns null if the replica has, too, or does not catch up
   */
  async onceReplayed<T>(attempt: () => Promise<T | null>): Promise<T | null> {
    const deadline = new Deadline(REPLAY_MS)
    for (;;) {
      const result = await attempt()
      if (result !== null || this.#isFailing || deadline.hasPassed) return result
      await pause(AFTER_DELAY_MS)
    }
  }

  /** @returns null if the replica is not used, lacks the revision or fails */
  async #try<T>(attempt: () => Promise<T | null>): Promise<T | null> {
    if (postgres.replicaUrl === null || !this.#mayTry()) return null
    try {
      return await attempt()
    } catch {
      replicaReads.failed++
      this.#isFailing = true
      this.#resumesAt = performance.now() + AFTER_FAILURE_MS
      return null
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
      if (!this.#recordFreshness(isFresh)) return null
      const result = await read(connection)
      replicaReads.answered++
      return result
    } finally {
      client.releaseConnection(connection)
    }
  }

  /** @throws if the server fails, but not if `read` does */
  async #attemptAtOneMoment<T>(
    revision: number,
    read: (trx: TransactionClientContract) => Promise<T>
  ): Promise<Reading<T> | { error: unknown } | null> {
    let attempt: Reading<T> | { error: unknown } | null = null
    const work = async (trx: TransactionClientContract) => {
      const [row] = await trx.from('change_revisions').select('revision')
      const replayed = Number(row.revision)
      if (!this.#recordFreshness(replayed >= revision)) return
      attempt = await read(trx).then(
        (result) => ({ result, revision: replayed }),
        (error: unknown) => ({ error })
      )
    }
    await readAtOneMoment(work, REPLICA).catch((error) => {
      if (attempt === null) throw error
    })
    return attempt
  }

  /** A server has said whether it is fresh enough. */
  #recordFreshness(isFresh: boolean): boolean {
    if (this.#isFailing) [this.#isFailing, this.#resumesAt] = [false, 0]
    if (!isFresh) {
      replicaReads.behind++
      this.#resumesAt = performance.now() + AFTER_DELAY_MS
    }
    return isFresh
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
