import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Deletes expired rows of one kind, a few at a time. */
export interface Sweep {
  /** For logs; unique among sweeps. */
  readonly name: string
  /** Whether any rows have expired. Must be cheap and not lock anything. */
  isDue(now: DateTime): Promise<boolean>
  /** Deletes up to `limit` rows, oldest first. @returns The number of deleted rows */
  deleteExpired(now: DateTime, limit: number, trx: TransactionClientContract): Promise<number>
}
