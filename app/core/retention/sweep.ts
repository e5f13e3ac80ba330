import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Deletes expired rows of one kind, a few at a time. */
export interface Sweep {
  /** Names it in logs; unique among sweeps. */
  readonly name: string
  /** Whether any rows have expired: a cheap query that blocks nobody. */
  isDue(now: DateTime): Promise<boolean>
  /** Removes at most `limit` rows, the oldest first. @returns how many */
  removeSome(now: DateTime, limit: number, trx: TransactionClientContract): Promise<number>
}
