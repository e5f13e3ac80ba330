import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { takeRevisions } from '#core/changes/revision_counter'
import { toDatabaseTimestamp } from '#core/database/columns'
import { tryLockUntilCommit } from '#core/database/lock_until_commit'
import { jsonRows } from '#core/database/json_rows'
import { transaction } from '#core/database/transaction'
import AuditChain from '#app/audit/models/audit_chain'
import AuditEntry from '#app/audit/models/audit_entry'
import { chainedHash, newSalt } from '#app/audit/values/chain'

/** Entries can be large. */
const BATCH = 100

/**
 * Gives committed entries their places in the chain, in the order of their ids. One process does it
 * at a time, and writers never wait for it.
 *
 * @returns whether there may be more
 */
export async function sealEntries(): Promise<boolean> {
  if ((await unsealed().first()) === null) return false
  const count = await transaction(async (trx) => {
    if (!(await tryLockUntilCommit(trx, 'audit chain'))) return 0
    const chain = await AuditChain.current(trx)
    const entries = await unsealed().useTransaction(trx).limit(BATCH)
    let { sequence, hash } = chain.head
    const rows = entries.map((entry) => {
      sequence += 1
      const salt = newSalt()
      hash = chainedHash(hash, entry.merge({ salt }))
      return { id: entry.id, sequence, hash, salt }
    })
    if (rows.length === 0) return 0
    await saveSeals(rows, trx)
    const firstSequence = rows[0].sequence
    await chain.merge({ sequence, hash }).useTransaction(trx).save()
    await saveRevisions({ firstSequence, entries: rows.length }, trx)
    return rows.length
  })
  return count === BATCH
}

/** The change feed has entries in the order of their places. */
async function saveRevisions(
  { firstSequence, entries }: { firstSequence: number; entries: number },
  trx: TransactionClientContract
) {
  await trx.table('audit_revisions').insert({
    id: await takeRevisions(trx, entries),
    at: toDatabaseTimestamp(DateTime.utc()),
    first_sequence: firstSequence,
    entries,
  })
}

const unsealed = () => AuditEntry.query().whereNull('sequence').orderBy('id')

async function saveSeals(rows: object[], trx: TransactionClientContract) {
  const { source } = jsonRows(
    { id: 'integer', sequence: 'integer', hash: 'text', salt: 'text' },
    '?'
  )
  await trx.rawQuery(
    `update audit_entries set sequence = given.sequence, hash = given.hash,
       salt = given.salt
     from ${source} where audit_entries.id = given.id`,
    [JSON.stringify(rows)]
  )
}
