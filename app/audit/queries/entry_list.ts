import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { readAtOneMoment } from '#core/database/transaction'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, type SizedPage, sizedPage } from '#core/http/paging'
import { countRows } from '#core/http/lists'
import AuditEntry from '#app/audit/models/audit_entry'
import { type EntryFilter, narrowestRanges, rangesOf } from '#app/audit/queries/entry_filter'
import { SEALED_OR_NOT } from '#app/audit/queries/sealed_or_not'
import {
  type Search,
  entriesWhere,
  latestFirst,
  readInOrder,
  searchRange,
} from '#app/audit/queries/search_range'

/** Entries that one page searches: each filter has an index, but not each combination of them. */
const MOST_SEARCHED = 10_000

const sizes = new RowSizes('audit_entries', { json: ['state_before', 'state_after'] })

/** The latest entry comes first. A page can have fewer entries than its limit, and a next page. */
export async function readEntries(
  filter: EntryFilter,
  page: Page,
  client?: TransactionClientContract
): Promise<SizedPage<AuditEntry>> {
  const { found, end } = await search(filter, page, client)
  return sizedPage<AuditEntry>({
    found: found.slice(0, page.limit + 1),
    endsAfter: end?.id,
    page,
    sizes,
    client,
    read: (ids) => AuditEntry.query({ client }).whereIn('id', ids),
  })
}

/** How many entries all pages have. */
export async function countEntries(
  { visible, from, to, ...fields }: EntryFilter,
  client?: TransactionClientContract
): Promise<number> {
  const conditions = { ranges: rangesOf(fields), visible, from, to }
  const count = async (trx: TransactionClientContract) => {
    let total = 0
    for (const kind of SEALED_OR_NOT) {
      total += await countRows(entriesWhere({ kind, ...conditions }, trx))
    }
    return total
  }
  // At one moment, because an entry that is sealed between the two queries would count twice.
  return client ? count(client) : readAtOneMoment(count)
}

async function search(
  filter: EntryFilter,
  page: Page,
  client?: TransactionClientContract
): Promise<Search> {
  // First, see `SEALED_OR_NOT`. They are few.
  const searches = [await searchUnsealed(filter, page, client)]
  const ranges = narrowestRanges(filter)
  const most = Math.ceil(MOST_SEARCHED / ranges.length)
  for (const range of ranges) {
    searches.push(await searchRange(range, filter, page, { most, client }))
  }
  return merged(searches)
}

async function searchUnsealed(
  filter: EntryFilter,
  { after, limit }: Page,
  client?: TransactionClientContract
): Promise<Search> {
  const { visible, from, to, ...fields } = filter
  const conditions = { ranges: rangesOf(fields), visible, from, to }
  const found = await readInOrder(
    { kind: 'sequence is null', ...conditions },
    { after, limit: limit + 1 },
    client
  )
  return { found, end: null }
}

/** Searches that stopped early have not found everything after where the first of them stopped. */
function merged(searches: Search[]): Search {
  const [end = null] = searches.flatMap((each) => each.end ?? []).sort(latestFirst)
  const found = new Map(searches.flatMap((each) => each.found).map((row) => [row.id, row]))
  const complete = [...found.values()].filter((row) => end === null || latestFirst(row, end) <= 0)
  return { found: complete.sort(latestFirst), end }
}
