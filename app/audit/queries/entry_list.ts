import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { ActorKind } from '#core/audit/audit_actor'
import type { AuditAction } from '#core/audit/audit_actions'
import { readAtOneMoment } from '#core/database/transaction'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, sizedPage } from '#core/http/paging'
import { countRows } from '#core/http/lists'
import AuditEntry from '#app/audit/models/audit_entry'
import { type SealedOrNot, SEALED_OR_NOT } from '#app/audit/queries/sealed_or_not'

/** Each of these has an index of sealed entries. */
export interface EntryFields {
  /** The address of the user who made the change. */
  actorEmail?: string
  actorKind?: ActorKind
  action?: AuditAction
  /** A code, also of an application that no longer exists. */
  application?: string
  targetKind?: string
  targetId?: string
  /** The user whose access or record changed. */
  email?: string
}

export interface EntryFilter extends EntryFields {
  /** Ids; undefined for all applications and the platform. */
  visible?: number[]
  from?: DateTime
  /** Exclusive; `from` is inclusive. */
  to?: DateTime
}

const sizes = new RowSizes('audit_entries', ['state_before', 'state_after'])

/** The newest entry comes first, or within a period, the latest. */
export async function readEntries(filter: EntryFilter, page: Page) {
  return sizedPage<AuditEntry>({
    found: await firstMatching(filter, page),
    page,
    sizes,
    read: (ids) => AuditEntry.query().whereIn('id', ids),
  })
}

/** How many entries all pages have. */
export async function countEntries(filter: EntryFilter): Promise<number> {
  const whole = { limit: 1, after: null }
  // At one moment, because an entry that is sealed between the two queries would count twice.
  return readAtOneMoment(async (trx) => {
    let count = 0
    for (const kind of SEALED_OR_NOT) count += await countRows(matchingOf(kind, filter, whole, trx))
    return count
  })
}

/** A page and one more. */
async function firstMatching(filter: EntryFilter, page: Page): Promise<AuditEntry[]> {
  const found = new Map<number, AuditEntry>()
  for (const kind of SEALED_OR_NOT) {
    for (const entry of await matchingOf(kind, filter, page)) found.set(entry.id, entry)
  }
  const timeOf = ({ at }: AuditEntry) => (isPeriod(filter) ? at.toMillis() : 0)
  return [...found.values()]
    .toSorted((one, other) => timeOf(other) - timeOf(one) || other.id - one.id)
    .slice(0, page.limit + 1)
}

const isPeriod = ({ from, to }: EntryFilter) => from !== undefined || to !== undefined

function matchingOf(
  kind: SealedOrNot,
  filter: EntryFilter,
  page: Page,
  client?: TransactionClientContract
) {
  const { visible, from, to, ...fields } = filter
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const { order, isLater, positions } = orderOf({
    isNarrowed: given.length > 0 || visible !== undefined,
    isPeriod: isPeriod(filter),
  })
  return AuditEntry.query({ client })
    .select('id', 'at')
    .whereRaw(kind)
    .where(Object.fromEntries(given))
    .if(visible, (query) => query.whereIn('applicationId', visible!))
    .if(from, (query) => query.where('at', '>=', toDatabaseTimestamp(from!)))
    .if(to, (query) => query.where('at', '<', toDatabaseTimestamp(to!)))
    .if(page.after, (query) => query.whereRaw(isLater, positions(page.after!)))
    .orderByRaw(order)
    .limit(page.limit + 1)
}

/** That of an index, so that a page reads no more than its entries. */
function orderOf(list: { isNarrowed: boolean; isPeriod: boolean }) {
  if (list.isPeriod) {
    return {
      order: 'at desc, id desc',
      isLater: '(at, id) < ((select at from audit_entries where id = ?), ?)',
      positions: (id: number) => [id, id],
    }
  }
  // Without a filter, the primary key is read backwards.
  return list.isNarrowed
    ? { order: '-id', isLater: '-id > ?', positions: (id: number) => [-id] }
    : { order: 'id desc', isLater: 'id < ?', positions: (id: number) => [id] }
}
