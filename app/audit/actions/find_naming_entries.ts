import { setImmediate as nextTurn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { endingWith, filterByText } from '#core/database/filter_by_text'
import AuditEntry from '#app/audit/models/audit_entry'
import { addressForms } from '#app/audit/values/without_address'
import User from '#app/profiles/models/user'

/** Of one statement: entries, and bytes of their texts. */
const STEP = { entries: 2_000, bytes: 4_194_304 }

const STATES = ['state_before', 'state_after']
const SEARCHED = ['target_id', 'target_label', 'actor_name', 'request_id', 'reason', ...STATES]

export interface NamingEntries {
  /** Of the entries that name the address in a text, in ascending order. */
  ids: number[]
  /** The id of the last entry that was searched. */
  until: number
  /** Other addresses that end with this one, which these entries are about or were made by. */
  longerOnes: string[]
}

/**
 * Searches the texts of entries for an address. A trail can have gigabytes, so this takes many
 * statements. Entries never come to name an address later, so it need not be in the transaction
 * that redacts them.
 *
 * @param after the id of the last entry that is not searched
 */
export async function findNamingEntries(
  email: string,
  after = 0,
  trx?: TransactionClientContract
): Promise<NamingEntries> {
  const ids: number[] = []
  const longerOnes = new Set<string>()
  for (let until = after; ;) {
    const last = await lastOfStep(until, trx)
    if (last === null) return { ids, until, longerOnes: [...longerOnes] }
    const found = await AuditEntry.query({ client: trx })
      .select('id', 'email', 'actorEmail')
      .whereBetween('id', [until + 1, last])
      .where((query) => {
        for (const form of addressForms(email)) {
          void query.orWhere((entries) => filterByText(entries, SEARCHED, form))
        }
      })
      .orderBy('id')
    for (const entry of found) {
      ids.push(entry.id)
      for (const other of [entry.email, entry.actorEmail]) {
        if (other !== null && other !== email && other.endsWith(email)) longerOnes.add(other)
      }
    }
    until = last
    await nextTurn()
  }
}

/** The addresses of other users that end with this one. */
export async function findLongerAddresses(email: string, trx: TransactionClientContract) {
  const users = await User.query({ client: trx })
    .select('email')
    .whereRaw(`email like ? escape '\\'`, [endingWith(email)])
    .whereNot({ email })
  return users.map((user) => user.email)
}

/** The last entry of the next ones that are searched together; null if there is none. */
async function lastOfStep(after: number, trx?: TransactionClientContract): Promise<number | null> {
  const bytes = STATES.map((state) => `coalesce(octet_length(${state}), 0)`).join(' + ')
  const entries: { id: number; bytes: number | string }[] = await (trx ?? db)
    .from('audit_entries')
    .select('id')
    .select(db.raw(`${bytes} as bytes`))
    .where('id', '>', after)
    .orderBy('id')
    .limit(STEP.entries)
  let last: number | null = null
  let total = 0
  for (const entry of entries) {
    total += Number(entry.bytes)
    if (last !== null && total > STEP.bytes) return last
    last = entry.id
  }
  return last
}
