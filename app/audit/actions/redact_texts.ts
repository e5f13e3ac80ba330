import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { filterByText } from '#core/database/filter_by_text'
import AuditEntry from '#app/audit/models/audit_entry'
import {
  addressForms,
  replaceAddress,
  replaceAddressInJson,
} from '#app/audit/values/without_address'

/** Entries to search before other requests get a turn. */
const STEP = 2_000

/** Columns whose content comes from outside, and what fits into them. */
const TEXTS = { targetId: 512, targetLabel: 1_024, actorName: 255, requestId: 255, reason: null }
const STATES = ['stateBefore', 'stateAfter'] as const
const SEARCHED = ['target_id', 'target_label', 'actor_name', 'request_id', 'reason'].concat([
  'state_before',
  'state_after',
])

/**
 * Replaces an address wherever an entry names it: in reasons, names and states, such as the users
 * whose assignments were deleted with a role.
 *
 * @param after the id of the last entry that is not searched
 * @returns the entries that named it
 */
export async function redactTexts(
  email: string,
  pseudonym: string,
  trx: TransactionClientContract,
  after = 0
): Promise<AuditEntry[]> {
  const named: AuditEntry[] = []
  const searched = () => trx.from('audit_entries').where('id', '>', after)
  const [{ last }] = await searched().max('id as last')
  const [{ first }] = await searched().min('id as first')
  for (let start = Number(first); start <= Number(last ?? -1); start += STEP) {
    for (const entry of await namingIn([start, start + STEP - 1], email, trx)) {
      replaceIn(entry, email, pseudonym)
      if (!entry.$isDirty) continue
      // What has no place in the chain yet gets the hash of what is left.
      const redacted = entry.redacted || entry.sequence !== null
      await entry.merge({ redacted, salt: null }).save()
      named.push(entry)
    }
    await nextTurn()
  }
  return named
}

function namingIn(ids: [number, number], email: string, trx: TransactionClientContract) {
  return AuditEntry.query({ client: trx })
    .whereBetween('id', ids)
    .where((query) => {
      for (const form of addressForms(email)) {
        void query.orWhere((entries) => filterByText(entries, SEARCHED, form))
      }
    })
    .orderBy('id')
}

function replaceIn(entry: AuditEntry, email: string, pseudonym: string) {
  for (const name of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    const text = entry[name]
    if (text === null) continue
    const replaced = replaceAddress(text, email, pseudonym)
    entry.merge({ [name]: replaced.slice(0, TEXTS[name] ?? undefined) })
  }
  for (const name of STATES) {
    const state = entry[name]
    if (state !== null) entry.merge({ [name]: replaceAddressInJson(state, email, pseudonym) })
  }
}
