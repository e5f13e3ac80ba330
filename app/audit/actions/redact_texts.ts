import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import AuditEntry from '#app/audit/models/audit_entry'
import type { AddressReplacement } from '#app/audit/values/without_address'

/** Entries that are read together. Each can have a quarter of a megabyte. */
const PART = 20

/** Columns whose content comes from outside, and what fits into them. */
const TEXTS = { targetId: 512, targetLabel: 1_024, actorName: 255, requestId: 255, reason: null }
const STATES = ['stateBefore', 'stateAfter'] as const

/**
 * Replaces an address wherever these entries name it: in reasons, names and states, such as the
 * users whose assignments were deleted with a role.
 *
 * @returns the entries that named it
 */
export async function redactTexts(
  ids: number[],
  replacement: AddressReplacement,
  trx: TransactionClientContract
): Promise<AuditEntry[]> {
  const named: AuditEntry[] = []
  for (let start = 0; start < ids.length; start += PART) {
    const part = ids.slice(start, start + PART)
    const entries = await AuditEntry.query({ client: trx }).whereIn('id', part).orderBy('id')
    for (const entry of entries) {
      replaceIn(entry, replacement)
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

function replaceIn(entry: AuditEntry, replacement: AddressReplacement) {
  for (const name of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    const text = entry[name]
    if (text === null) continue
    entry.merge({ [name]: replacement.inText(text).slice(0, TEXTS[name] ?? undefined) })
  }
  for (const name of STATES) {
    const state = entry[name]
    if (state !== null) entry.merge({ [name]: replacement.inJson(state) })
  }
}
