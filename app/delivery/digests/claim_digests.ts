import { randomUUID } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import Digest from '#app/delivery/models/digest'
import sendingConfig from '#config/sending'

const { leaseMs, digests } = sendingConfig

/** How many are claimed together, by how often the first was claimed: one may crash the process. */
const SIZES = [digests, 10, 1]

export const dueDigests = (client?: TransactionClientContract) =>
  Digest.query({ client }).where('dueAt', '<=', toDatabaseTimestamp(DateTime.utc()))

/** Claims digests that have fallen due, the oldest first. */
export async function claimDigests(exceptApplications: number[] = []): Promise<Digest[]> {
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const found = await dueDigests()
    .if(exceptApplications.length > 0, (query) =>
      query.whereNotIn('applicationId', exceptApplications)
    )
    .orderBy('dueAt')
    .orderBy('id')
    .limit(digests)
    .select('id', 'claims')
  if (found.length === 0) return []
  const alike = found.filter(({ claims }) => claims === found[0].claims)
  const ids = alike.slice(0, SIZES[Math.min(found[0].claims, SIZES.length - 1)]).map(({ id }) => id)
  return transaction(async (trx) => {
    const rows = await dueDigests(trx)
      .whereIn('id', ids)
      .orderBy('id')
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    for (const row of rows) {
      await row.merge({ claim: randomUUID(), claims: row.claims + 1, dueAt }).save()
    }
    return rows
  })
}
