import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Rows that are removed when they are old enough, a few at a time. */
export interface Sweep {
  /** Names it in logs; unique among sweeps. */
  readonly name: string
  /** Whether anything is old enough: one cheap look, which holds nobody up. */
  isDue(now: DateTime): Promise<boolean>
  /** Removes at most `limit` rows, the oldest first. @returns how many */
  removeSome(now: DateTime, limit: number, trx: TransactionClientContract): Promise<number>
}
