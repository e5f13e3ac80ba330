import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import db from '@adonisjs/lucid/services/db'
import type { Change } from '#core/audit/change'
import { recordChange, recordChanges } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { sealEntries } from '#app/audit/actions/seal_entries'
import AuditEntry from '#app/audit/models/audit_entry'
import { auditedChange } from '#app/audit/transformers/audit_entry_resource'
import { uniqueCode } from '#tests/helpers/people'

/** What the first entry follows. */
export const START = '0'.repeat(64)

/** Begins a new chain, because other tests leave entries, too. */
export async function emptyChain() {
  await db.from('audit_entries').delete()
  const nothing = { sequence: 0, hash: START }
  const checkpoint = { checkpoint_sequence: 0, checkpoint_hash: START, checkpoint_signature: null }
  await db.from('audit_chain').update({ ...nothing, ...checkpoint })
}

const aChange = (label: string): Change => ({
  action: 'language.created',
  application: null,
  target: { kind: 'language', id: label, label },
  before: null,
  after: { label, big: 2 ** 53, text: 'Ž \u2028 "' },
})

export const addEntry = (label = uniqueCode()) =>
  transaction((trx) => recordChange(trx, aChange(label)))

export const addEntries = (count: number) =>
  transaction((trx) =>
    recordChanges(
      trx,
      Array.from({ length: count }, () => aChange(uniqueCode()))
    )
  )

export async function sealAll() {
  while (await sealEntries()) continue
}

export async function aChain(length: number) {
  for (let index = 0; index < length; index++) await addEntry()
  await sealEntries()
  return AuditEntry.query().orderBy('sequence')
}

/** The hash of an entry that follows another one, computed as the documentation says. */
export const hashAfter = (previous: string, entry: object) =>
  createHash('sha256')
    .update(previous + canonicalize(entry))
    .digest('hex')

/** Gives all entries the hashes that they had before there were salts. */
export async function sealWithoutSalts() {
  let hash = START
  for (const entry of await AuditEntry.query().orderBy('sequence')) {
    hash = hashAfter(hash, auditedChange(entry))
    await entry.merge({ hash, salt: null }).save()
  }
  await db.from('audit_chain').update({ hash })
}
