import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChanges } from '#core/audit/record_change'
import { formatRanges } from '#app/audit/values/ranges'

/** Of one entry about an erasure, so that its list stays within the limit of a state. */
const NAMED_BY_ENTRY = 1_000

/** Their states contain names and accounts. */
const ABOUT_PROFILES = ['user.profile_changed', 'user.identity_changed', 'user.activated'].concat([
  'user.deactivated',
  'user.moved',
])

/**
 * Replaces an address in the audit trail by a pseudonym. Entries that have their places in the
 * chain keep them; the entry about the erasure names them, so that the chain still verifies
 * (audit.md#erased-users).
 *
 * @returns how many entries named the address
 */
export async function redactEntries(
  email: string,
  pseudonym: string,
  trx: TransactionClientContract
): Promise<number> {
  const entries = () => trx.from('audit_entries')
  const rows: { id: number; sequence: number | null }[] = await entries()
    .where({ email })
    .orWhere('actor_email', email)
    .orderBy('sequence')
    .select('id', 'sequence')
  await entries()
    .where({ email })
    .whereIn('action', ABOUT_PROFILES)
    .update({ state_before: null, state_after: null })
  await entries()
    .where({ email, target_kind: 'user' })
    .update({ target_id: pseudonym, target_label: pseudonym })
  await entries().where({ email }).update({ email: pseudonym, redacted: true })
  await entries()
    .where('actor_email', email)
    .update({ actor_email: pseudonym, address: null, redacted: true })
  await recordErasure(
    pseudonym,
    rows.flatMap(({ sequence }) => sequence ?? []),
    trx
  )
  return rows.length
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
