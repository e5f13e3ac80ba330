import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AccessChange,
  type RecentChanges,
  readAccessChanges,
  readReplicatedChanges,
} from '#core/changes/access_changes'
import type { AccessNotice } from '#core/database/access_transaction'
import type { AccessScope } from '#core/events/access_changed'
import { LoopPauses } from '#core/process/loop_pauses'
import { outsideRequests } from '#core/http/outside_requests'
import { accessCaches } from '#app/checks/invalidation/access_caches'

/** Beyond this, all caches are cleared, which is faster than comparing each change. */
const MAX_CHANGES = 500
/** How often to look for changes that nobody announced. */
const POLL_MS = 500
const BEFORE_ALL = -1

interface Options {
  read?: (after: number, limit: number) => Promise<RecentChanges>
  /** From a replica, if there is one that is not older than `after`. */
  readReplica?: (after: number, limit: number) => Promise<RecentChanges | null>
  invalidate?: (scopes: AccessScope[]) => void
  /** For tests, in milliseconds. */
  clocks?: (() => number)[]
}

/**
 * Applies the access changes of all processes to the caches of this one, in the order of their
 * revisions, and knows how fresh the caches are (changes.md#freshness).
 */
export class FollowedChanges {
  readonly #read: NonNullable<Options['read']>
  readonly #readReplica: NonNullable<Options['readReplica']>
  readonly #invalidate: NonNullable<Options['invalidate']>
  readonly #advanced = new EventEmitter().setMaxListeners(0)
  readonly #pauses: LoopPauses
  /** While the changes after a pause are read. */
  #isBehind = false
  /** Every change up to this one is applied. Null until the first read. */
  #revision: number | null = null
  /** Later changes that are applied, too. */
  readonly #ahead = new Set<number>()
  /** The latest announced revision. Other parts of it, or earlier changes, may still be missing. */
  #heard = 0
  #reading: Promise<void> | null = null
  #nextRead: Promise<void> | null = null

  constructor({
    read = readAccessChanges,
    readReplica = readReplicatedChanges,
    invalidate,
    clocks,
  }: Options = {}) {
    this.#pauses = new LoopPauses(() => void this.#readAfterPause(), clocks)
    this.#read = read
    this.#readReplica = readReplica
    this.#invalidate = invalidate ?? ((scopes) => accessCaches.invalidate(scopes))
  }

  /** 0 if no change is known to be applied. */
  get revision(): number {
    return this.#revision ?? 0
  }

  /** What a read must reflect, so that its result can be cached. Null: whatever the primary has. */
  get required(): number | null {
    return this.#revision === null ? null : Math.max(this.#revision, this.#heard)
  }

  /** Whether decisions reflect this change without another query. */
  reflects(revision: number): boolean {
    return this.#revision !== null && revision <= this.#revision
  }

  /** Whether changes may be missing because the process stood still. */
  get mayHaveMissed(): boolean {
    return this.#isBehind || this.#pauses.isOver
  }

  /** Applies a committed change, of this process or of another one that announced it. */
  apply({ scopes, revision, isPart = false }: AccessNotice) {
    // PostgreSQL also notifies the process that made the change.
    if (revision !== undefined && this.#isApplied(revision)) return
    this.#heard = Math.max(this.#heard, revision ?? 0)
    this.#invalidate(scopes)
    if (revision === undefined || isPart) return
    if (revision - 1 === this.#revision) return this.#advance(revision)
    this.#ahead.add(revision)
    this.catchUp().catch(() => {})
  }

  /** Applies everything, because changes may have been missed. */
  applyAll() {
    this.#invalidate([{}])
    this.catchUp().catch(() => {})
  }

  /**
   * Makes every later decision reflect this change, even if nobody announced it to this process.
   *
   * @returns false if there is no such change yet
   * @throws if the database is unavailable, and the replica does not have the change
   */
  async reach(revision: number): Promise<boolean> {
    if (this.mayHaveMissed) await this.catchUp().catch(() => {})
    if (this.reflects(revision)) return true
    await this.catchUp().catch((error) => {
      if (!this.reflects(revision)) throw error
    })
    return this.reflects(revision)
  }

  /**
   * Applies what was committed before the call. Simultaneous calls share one query.
   *
   * @throws if the database is unavailable, even if a replica had later changes
   */
  catchUp(): Promise<void> {
    this.#nextRead ??= (this.#reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#reading = this.#nextRead
        this.#nextRead = null
        return outsideRequests(() => this.#readAndApply())
      })
      .finally(() => {
        this.#reading = null
      })
    return this.#nextRead
  }

  /** Calls `listener` whenever the revision has changed. @returns a function that ends this */
  onAdvance(listener: (revision: number) => void): () => void {
    this.#advanced.on('advance', listener)
    return () => this.#advanced.off('advance', listener)
  }

  /** Catches up regularly until `signal` aborts. */
  async poll(signal: AbortSignal) {
    this.#pauses.watch(signal)
    while (!signal.aborted) {
      await this.catchUp().catch(() => {})
      await pause(POLL_MS, null, { signal, ref: false }).catch(() => {})
    }
  }

  async #readAfterPause() {
    this.#isBehind = true
    await this.catchUp().catch(() => {})
    this.#isBehind = false
  }

  async #readAndApply() {
    const [known, heard] = [this.#revision, this.#heard]
    try {
      this.#applyRead(await this.#read(known ?? BEFORE_ALL, MAX_CHANGES), known)
      // What was announced before is committed and read, or was never committed.
      if (heard === this.#heard) this.#heard = 0
    } catch (error) {
      await this.#applyReplicated()
      throw error
    }
  }

  /** While the primary is unavailable, decisions are as fresh as the replica. */
  async #applyReplicated() {
    const known = this.#revision
    const recent = known === null ? null : await this.#readReplica(known, MAX_CHANGES)
    if (recent) this.#applyRead(recent, known)
  }

  #applyRead({ changes, hasMore, latest }: RecentChanges, known: number | null) {
    if (changes === null || hasMore) this.#invalidate([{}])
    else this.#applyMissing(changes)
    // A notice may have been faster, but a restored backup can be older.
    const isOlder = known !== null && latest < known
    if (isOlder) this.#ahead.clear()
    this.#advance(isOlder ? latest : Math.max(latest, this.revision))
  }

  #applyMissing(changes: AccessChange[]) {
    const missing = changes.filter(({ revision }) => !this.#isApplied(revision))
    if (missing.length > 0) this.#invalidate(missing.flatMap(({ scopes }) => scopes))
  }

  #isApplied(revision: number) {
    return this.reflects(revision) || this.#ahead.has(revision)
  }

  #advance(revision: number) {
    if (revision === this.#revision) return
    this.#revision = revision
    for (const applied of this.#ahead) if (applied <= revision) this.#ahead.delete(applied)
    this.#advanced.emit('advance', revision)
  }
}

export const followedChanges = new FollowedChanges()
