import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import {
  type AudienceSource,
  countAudienceMembers,
  readRows,
} from '#app/broadcasts/queries/audience_sources'

export interface AudienceSample {
  /** How many users belong to the audience */
  total: number
  /** All of them, or as many as the limit allows */
  emails: string[]
}

interface SourceRange {
  first: number
  last: number
  count: number
}

/** Of an audience that is larger than the limit, so that old and new users are represented. */
const PARTS = 10

/** Reads a number of rows that does not depend on the size of the audience, and counts it. */
export async function sampleAudience(
  sources: AudienceSource[],
  limit: number
): Promise<AudienceSample> {
  const ranges: SourceRange[] = []
  for (const source of sources) ranges.push(await readRange(source))
  const rows = ranges.reduce((sum, { count }) => sum + count, 0)
  const emails = new Set<string>()
  for (const [index, source] of sources.entries()) {
    const share = Math.ceil((limit * ranges[index].count) / Math.max(rows, limit))
    for (const email of await readShare(source, ranges[index], share)) emails.add(email)
  }
  const isWhole = rows <= limit
  const total =
    sources.length === 1 ? rows : isWhole ? emails.size : await countAudienceMembers(sources)
  return { total, emails: [...emails].slice(0, limit) }
}

/** Those of the addresses that belong to an audience. */
export async function membersAmong(
  emails: string[],
  sources: AudienceSource[]
): Promise<Set<string>> {
  const members = new Set<string>()
  const listed = usesPostgres()
    ? 'select value from json_array_elements_text(cast(:emails as json)) as given(value)'
    : 'select value from json_each(:emails)'
  for (const { sql, bindings } of sources) {
    const result: unknown = await db.rawQuery(
      `select distinct email from (${sql}) as source where email in (${listed})`,
      { ...bindings, emails: JSON.stringify(emails) }
    )
    for (const { email } of readRows<{ email: string }>(result)) members.add(email)
  }
  return members
}

async function readRange({ sql, bindings }: AudienceSource): Promise<SourceRange> {
  const result: unknown = await db.rawQuery(
    `select min(id) as first, max(id) as last, count(*) as count from (${sql}) as source`,
    bindings
  )
  const [{ first, last, count }] = readRows<Record<keyof SourceRange, number | null>>(result)
  return { first: Number(first ?? 0), last: Number(last ?? 0), count: Number(count) }
}

async function readShare(source: AudienceSource, range: SourceRange, share: number) {
  const { first, last, count } = range
  const parts = count <= share ? 1 : PARTS
  const emails: string[] = []
  for (let part = 0; part < parts; part++) {
    const after = first - 1 + Math.floor(((last - first + 1) * part) / parts)
    emails.push(...(await readPart(source, after, Math.ceil(share / parts))))
  }
  return emails
}

async function readPart({ sql, id, bindings }: AudienceSource, after: number, limit: number) {
  const result: unknown = await db.rawQuery(
    `${sql} and ${id} > :after order by ${id} limit :limit`,
    { ...bindings, after, limit }
  )
  return readRows<{ email: string }>(result).map(({ email }) => email)
}
