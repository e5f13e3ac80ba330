import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import db from '@adonisjs/lucid/services/db'
import { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { CallerAccessChanged } from '#core/changes/caller_access'
import { usesPostgres } from '#core/database/dialect'
import { isUniqueViolation } from '#core/database/errors'
import { mayWrite } from '#core/database/writing_nothing'
import { ChangesTakeTooLong, Overloaded } from '#core/exceptions/problems'
import { repeatGuards } from '#core/http/repeat_guards'
import { Turns } from '#core/values/turns'

const ATTEMPTS = 5
/** How often the guards decide again: each change that may concern everyone is a reason. */
const CONFIRMATIONS = 50
const RETRY_AFTER = { 'retry-after': '1' }
const RETRYABLE = new Set([
  'SQLITE_BUSY_SNAPSHOT',
  '40001',
  '40P01',
  // A row that was just read has been deleted. The next attempt reports which one.
  'SQLITE_CONSTRAINT_FOREIGNKEY',
  '23503',
])

/** Another writer has just changed what the transaction depends on, so it is retried. */
export class TransactionConflict extends Error {
  readonly code = '40001'
}

/** Queries of SQLite never wait, so many parts of one transaction would leave others no turn. */
const turns = new Turns()

/** Of transactions with parts. On SQLite, everything else waits for them. */
export const partLimits = { cpuSeconds: 5 }

interface Whole {
  trx: TransactionClientContract
  /** The CPU time of this thread at which no further part begins, in microseconds */
  endsAt: number
}

const enclosing = new AsyncLocalStorage<Whole>()

/** Not a problem, because most transactions have no parts. */
class PartsTakeTooLong extends Error {}

/**
 * Makes transactions that begin in `work` parts of `trx`: they end, and are retried, with it.
 * @throws ChangesTakeTooLong on SQLite (policy.md#limits-on-sqlite)
 */
export async function asPartsOf<T>(
  trx: TransactionClientContract,
  work: () => Promise<T>
): Promise<T> {
  const { cpuSeconds: limit } = partLimits
  const endsAt = usesPostgres() ? Infinity : cpuTime() + limit * 1_000_000
  try {
    return await enclosing.run({ trx, endsAt }, work)
  } catch (error) {
    if (!(error instanceof PartsTakeTooLong)) throw error
    throw new ChangesTakeTooLong({ details: { limit, of: 'seconds of CPU time' } })
  }
}

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/**
 * Retries `work` after a conflict with another writer, so it must have no effects outside the
 * database and read everything it depends on through `trx`. Within `writingNothing` it is rolled
 * back, and only its result remains.
 */
export async function transaction<T>(
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  const whole = enclosing.getStore()
  if (whole) {
    if (cpuTime() > whole.endsAt) throw new PartsTakeTooLong()
    if (turns.isOver) await turns.next()
    return work(whole.trx)
  }
  for (let attempt = 1, confirmations = 0; ; attempt++) {
    try {
      return await runToCommit(async (trx) => {
        await startWriting(trx)
        return work(trx)
      })
    } catch (error) {
      if (error instanceof CallerAccessChanged) {
        if (++confirmations > CONFIRMATIONS) throw new Overloaded({ headers: RETRY_AFTER })
        await repeatGuards(HttpContext.getOrFail())
        attempt--
        continue
      }
      // Another writer may have inserted a row that was not found. The next attempt finds it.
      const maybeOutrun = attempt === 1 && isUniqueViolation(error)
      if (attempt === ATTEMPTS || !(isRetryable(error) || maybeOutrun)) throw error
    }
  }
}

/** Lucid does not declare `readOnly`, but passes it on. */
const AT_ONE_MOMENT = { isolationLevel: 'repeatable read', readOnly: true } as const

/**
 * Gives `work` a transaction that sees the database as it was at one moment, without locks.
 *
 * @param connection the name of a connection of the framework, by default that of the primary
 */
export function readAtOneMoment<T>(
  work: (trx: TransactionClientContract) => Promise<T>,
  connection?: string
): Promise<T> {
  return db.connection(connection).transaction(
    async (trx) => {
      try {
        return await work(trx)
      } finally {
        releaseTogether(trx)
      }
    },
    usesPostgres() ? AT_ONE_MOMENT : undefined
  )
}

/** The framework ignores a failed COMMIT. Only the promise of the whole transaction reports it. */
async function runToCommit<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  if (!mayWrite()) return runToRollback(work)
  let completion: Promise<unknown> | undefined
  const result = await db.transaction(async (trx) => {
    completion = trx.knexClient.executionPromise
    completion.catch(() => {})
    try {
      return await work(trx)
    } finally {
      releaseTogether(trx)
    }
  })
  await completion
  return result
}

async function runToRollback<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  const trx = await db.transaction()
  try {
    return await work(trx)
  } finally {
    releaseTogether(trx)
    await trx.rollback()
  }
}

/**
 * Models listen for the end of their transaction. Each would search for its own listener to remove
 * it: with 10,000 of them, that takes seconds.
 */
function releaseTogether(trx: TransactionClientContract) {
  const emitter: EventEmitter = trx
  for (const event of ['commit', 'rollback']) {
    const listeners = emitter.listeners(event)
    emitter.removeAllListeners(event)
    emitter.once(event, () => listeners.forEach((listener) => Reflect.apply(listener, trx, [trx])))
  }
}

/** A SQLite transaction waits for other writers only if it starts with a write. */
async function startWriting(trx: TransactionClientContract) {
  if (trx.dialect.name !== 'postgres') await trx.rawQuery('delete from adonis_schema where false')
}

function isRetryable(error: unknown) {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))
}
