import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import type { Page } from '#core/http/paging'
import AuditEntry from '#app/audit/models/audit_entry'
import {
  COLUMNS,
  type EntryFilter,
  type EntryRange,
  rangesOf,
} from '#app/audit/queries/entry_filter'
import type { SealedOrNot } from '#app/audit/queries/sealed_or_not'

/** Entries that are read at a time, at most. Other requests get a turn in between. */
const BATCH = 500
const GROWTH = 4

export interface FoundEntry extends Record<string, unknown> {
  id: number
  at: string | Date
}

export interface Search {
  found: FoundEntry[]
  /** The last entry that was read, if the search stopped before it found enough. */
  end: FoundEntry | null
}

export function latestFirst(one: FoundEntry, other: FoundEntry): number {
  return timeOf(other) - timeOf(one) || other.id - one.id
}

const timeOf = ({ at }: FoundEntry) => parseDatabaseTimestamp(at)!.toMillis()

/**
 * Finds a page and one more of the sealed entries that match, the latest first.
 * @param range where to search; null for all entries
 * @param options.most how many entries to read at most
 */
export async function searchRange(
  range: EntryRange | null,
  filter: EntryFilter,
  page: Page,
  { most, client }: { most: number; client?: TransactionClientContract }
): Promise<Search> {
  const { from, to, ...others } = filter
  const where = { kind: 'sequence is not null' as const, ranges: range ? [range] : [], from, to }
  const matches = matcherOf(range?.column === 'application_id' ? omitVisible(others) : others)
  const found: FoundEntry[] = []
  let after = page.after
  for (let read = 0, size = page.limit + 1; ; size = Math.min(size * GROWTH, BATCH)) {
    const rows = await readInOrder(where, { after, limit: size }, client)
    found.push(...rows.filter(matches))
    if (found.length > page.limit || rows.length < size) return { found, end: null }
    const last = rows.at(-1)!
    read += size
    if (read >= most) return { found, end: last }
    after = last.id
    // SQLite answers synchronously, so others would get no turn.
    await nextTurn()
  }
}

const omitVisible = ({ visible, ...fields }: EntryFilter): EntryFilter => fields

function matcherOf({ visible, ...fields }: EntryFilter) {
  const given = rangesOf(fields)
  const ids = visible && new Set(visible)
  return (row: FoundEntry) =>
    given.every(({ column, value }) => row[column] === value) &&
    (ids === undefined || ids.has(row.application_id as number))
}

export interface Conditions extends Pick<EntryFilter, 'visible' | 'from' | 'to'> {
  kind: SealedOrNot
  ranges: EntryRange[]
}

export function entriesWhere(
  { kind, ranges, visible, from, to }: Conditions,
  client?: TransactionClientContract
) {
  const { at, moment } = timeInSql(ranges)
  const query = AuditEntry.query({ client }).whereRaw(kind)
  for (const { column, value } of ranges) void query.whereRaw(`${column} = ?`, [value])
  if (visible) void query.whereIn('applicationId', visible)
  if (from) void query.whereRaw(`${at} >= ${moment}`, [toDatabaseTimestamp(from)])
  if (to) void query.whereRaw(`${at} < ${moment}`, [toDatabaseTimestamp(to)])
  return query
}

/** @param page.after the id of an entry */
export function readInOrder(
  conditions: Conditions,
  page: Page,
  client?: TransactionClientContract
): Promise<FoundEntry[]> {
  const { at } = timeInSql(conditions.ranges)
  const query = entriesWhere(conditions, client)
  if (page.after !== null) {
    const after = `(select ${at} from audit_entries where id = ?)`
    void query.whereRaw(`(${at}, id) < (${after}, ?)`, [page.after, page.after])
  }
  return query
    .select('id', 'at', 'applicationId', ...Object.values(COLUMNS))
    .orderByRaw(`${at} desc, id desc`)
    .limit(page.limit)
    .pojo<FoundEntry>()
}

/** As the indexes of ranges have it: with an expression, PostgreSQL does not read that of all. */
function timeInSql(ranges: EntryRange[]) {
  if (ranges.length === 0 || !usesPostgres()) return { at: 'at', moment: '?' }
  const utc = (time: string) => `(${time} at time zone 'UTC')`
  return { at: utc('at'), moment: utc('?::timestamptz') }
}
