import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type Rows, updateInParts } from '#core/database/in_parts'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import type { AuditAction } from '#core/audit/audit_actions'
import { recordChanges } from '#core/audit/record_change'
import {
  type NamingEntries,
  findLongerAddresses,
  findNamingEntries,
} from '#app/audit/actions/find_naming_entries'
import { redactTexts } from '#app/audit/actions/redact_texts'
import AuditEntry from '#app/audit/models/audit_entry'
import { type SealedOrNot, SEALED_OR_NOT } from '#app/audit/queries/sealed_or_not'
import { namedRanges } from '#app/audit/values/redactions'
import { AddressReplacement } from '#app/audit/values/without_address'
import { formatRanges } from '#app/audit/values/ranges'

/** Of one entry about an erasure, so that its list stays within the limit of a state. */
const NAMED_BY_ENTRY = 1_000

/** Their states contain names and accounts. */
const ABOUT_RECORDS: AuditAction[] = [
  'user.activated',
  'user.deactivated',
  'user.identity_changed',
  'user.profile_changed',
]

/**
 * Replaces an address in the audit trail by a pseudonym. Entries that have their places in the
 * chain keep them; the entry about the erasure names them, so that the chain still verifies
 * (audit.md#erased-users).
 *
 * @param searched what was found before the transaction
 * @returns how many entries named the address
 */
export async function redactEntries(
  email: string,
  pseudonym: string,
  searched: NamingEntries,
  trx: TransactionClientContract
): Promise<number> {
  // Otherwise entries could get their places between being read and being redacted.
  await lockUntilCommit(trx, 'audit chain')
  const own: AuditEntry[] = []
  for (const kind of SEALED_OR_NOT) own.push(...(await redactOwn(kind, email, pseudonym, trx)))
  const since = await findNamingEntries(email, searched.until, trx)
  const users = await findLongerAddresses(email, trx)
  const longerOnes = [...searched.longerOnes, ...since.longerOnes, ...users]
  const replacement = new AddressReplacement(email, pseudonym, longerOnes)
  const redact = (ids: number[]) => redactTexts(ids, replacement, trx)
  const all = [...own, ...(await redact([...searched.ids, ...since.ids]))]
  const sequences = new Set(all.flatMap(({ sequence }) => sequence ?? []))
  for (const sequence of await namedByErasures(all, trx)) sequences.add(sequence)
  await recordErasure(
    pseudonym,
    [...sequences].toSorted((a, b) => a - b),
    trx
  )
  // The reason for an erasure often names who is erased.
  await redact((await findNamingEntries(email, since.until, trx)).ids)
  return all.length
}

/** Those that the user made, or that are about the user. @returns them as they were */
async function redactOwn(
  kind: SealedOrNot,
  email: string,
  pseudonym: string,
  trx: TransactionClientContract
): Promise<AuditEntry[]> {
  // Separately, because SQLite uses no partial index for a disjunction.
  const [about, made] = [
    await ownEntries(trx).whereRaw(kind).where({ email }),
    await ownEntries(trx).whereRaw(kind).where({ actorEmail: email }),
  ]
  const change = (rows: Rows, values: Record<string, unknown>) =>
    updateInParts('audit_entries', (all) => rows(all.whereRaw(kind)), values, trx)
  for (const state of ['state_before', 'state_after']) {
    const ofRecords: Rows = (rows) =>
      rows.where({ email }).whereIn('action', ABOUT_RECORDS).whereNotNull(state)
    await change(ofRecords, { [state]: null })
  }
  await change(
    (rows) => rows.where({ email, target_kind: 'user' }).whereNot('target_id', pseudonym),
    {
      target_id: pseudonym,
      target_label: pseudonym,
    }
  )
  // What has no place in the chain yet gets the hash of what is left.
  const redaction = { redacted: trx.raw('redacted or sequence is not null'), salt: null }
  await change((rows) => rows.where({ email }), { email: pseudonym, ...redaction })
  // What a sign-in of the user stored.
  await change(
    (rows) => rows.where({ email: pseudonym, actor_kind: 'system' }).whereNotNull('address'),
    { address: null }
  )
  await change((rows) => rows.where('actor_email', email), {
    actor_email: pseudonym,
    address: null,
    ...redaction,
  })
  return [...new Map([...about, ...made].map((entry) => [entry.id, entry])).values()]
}

const ownEntries = (client: TransactionClientContract) =>
  AuditEntry.query({ client }).select('id', 'action', 'sequence', 'stateAfter')

/** What redacted entries about erasures name, since the verification no longer trusts them. */
async function namedByErasures(redacted: AuditEntry[], trx: TransactionClientContract) {
  const sequences: number[] = []
  for (const [first, last] of redacted.flatMap(namedRanges)) {
    const named = await AuditEntry.query({ client: trx })
      .where('redacted', true)
      .whereBetween('sequence', [first, last])
      .select('sequence')
    sequences.push(...named.map(({ sequence }) => sequence!))
  }
  return sequences
}

async function recordErasure(
  pseudonym: string,
  sequences: number[],
  trx: TransactionClientContract
) {
  const target = { kind: 'user', id: pseudonym, label: pseudonym }
  const erasure = { action: 'user.erased' as const, application: null, target, before: null }
  const parts: number[][] = []
  for (let start = 0; start === 0 || start < sequences.length; start += NAMED_BY_ENTRY) {
    parts.push(sequences.slice(start, start + NAMED_BY_ENTRY))
  }
  await recordChanges(
    trx,
    parts.map((part) => ({ ...erasure, after: { redacted: formatRanges(part) } }))
  )
}
