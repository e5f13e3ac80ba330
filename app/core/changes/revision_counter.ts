import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'

type Rows = { revision: number | string }[]

/**
 * Takes the next revisions (changes.md#revisions). Other transactions that need one wait for this
 * commit, so that whoever sees a revision also sees all before it. Call it last.
 *
 * @returns the last of `count` revisions
 */
export async function takeRevisions(
  trx: TransactionClientContract,
  count: number
): Promise<number> {
  const found: { rows: Rows } | Rows = await trx.rawQuery(
    'update change_revisions set revision = revision + ? returning revision',
    [count]
  )
  const [{ revision }] = usesPostgres() ? (found as { rows: Rows }).rows : (found as Rows)
  return Number(revision)
}
