import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changeCount } from '#core/database/change_count'
import { inParts } from '#core/database/in_parts'
import { usesPostgres } from '#core/database/dialect'
import { databaseMoment, isActive } from '#core/database/active_rows'
import type { Audience } from '#app/broadcasts/values/audience'

/** A query for members of an audience, as rows of `id` and `email`. The id is only a position. */
export interface AudienceSource {
  /** Ends in a condition, so that one on the id can follow. */
  sql: string
  id: string
  bindings: Record<string, number | string>
}

/** Users with a role need not have a record yet. */
const IS_ACTIVE = '(u.id is null or u.active = true)'

const ROLE_HOLDERS = `select ur.id as id, ur.email as email from user_roles ur
  join roles r on r.id = ur.role_id left join users u on u.email = ur.email
  where ${IS_ACTIVE} and ${isActive('ur', ':now')}`

/** Each query checks the membership, since it may change during the expansion. */
const VISITORS = `select p.user_id as id, u.email as email from application_preferences p
  join applications a on a.id = p.application_id and a.membership = 'open'
  join users u on u.id = p.user_id
  where u.active = true and p.application_id = :applicationId`

const OVERRIDE_HOLDERS = `select o.id as id, o.email as email from resource_overrides o
  join permissions p on p.id = o.permission_id and p.global = false
  join applications a on a.id = p.application_id and a.membership = 'granted'
  left join users u on u.email = o.email
  where ${IS_ACTIVE} and o.granted = true and ${isActive('o', ':now')}
    and p.application_id = :applicationId`

const ADMINISTRATORS = `select m.id as id, m.email as email from application_admins m
  join applications a on a.id = m.application_id and a.membership = 'granted'
  left join users u on u.email = m.email
  where ${IS_ACTIVE} and ${isActive('m', ':now')} and m.application_id = :applicationId`

/** Members may occur in several sources. */
export function audienceSources(audience: Audience, applicationId: number): AudienceSource[] {
  const visitors = { applicationId }
  const bindings = { ...visitors, now: databaseMoment() }
  switch (audience.kind) {
    case 'emails':
      return []
    case 'all':
      return [
        {
          sql: 'select u.id as id, u.email as email from users u where u.active = true',
          id: 'u.id',
          bindings: {},
        },
      ]
    case 'role':
      return [
        {
          sql: `${ROLE_HOLDERS} and ur.role_id = :roleId and r.application_id = :applicationId`,
          id: 'ur.id',
          bindings: { ...bindings, roleId: audience.roleId },
        },
      ]
    case 'application':
      return [
        { sql: VISITORS, id: 'p.user_id', bindings: visitors },
        { sql: `${ROLE_HOLDERS} and r.application_id = :applicationId`, id: 'ur.id', bindings },
        { sql: OVERRIDE_HOLDERS, id: 'o.id', bindings },
        { sql: ADMINISTRATORS, id: 'm.id', bindings },
      ]
  }
}

export async function countAudienceMembers(sources: AudienceSource[]): Promise<number> {
  if (sources.length === 0) return 0
  const members = sources.map(({ sql }) => `select email from (${sql}) as source`).join(' union ')
  const bindings = Object.assign({}, ...sources.map((source) => source.bindings))
  const result: unknown = await db.rawQuery(
    `select count(*) as count from (${members}) as audience`,
    bindings
  )
  return Number(readRows<{ count: number }>(result)[0].count)
}

export async function hasAudienceMembers(sources: AudienceSource[]): Promise<boolean> {
  for (const { sql, bindings } of sources) {
    const result: unknown = await db.rawQuery(`${sql} limit 1`, bindings)
    if (readRows(result).length > 0) return true
  }
  return false
}

/** The end of the next chunk: its last id and its size. */
export async function findNextChunk(
  { sql, id, bindings }: AudienceSource,
  after: number,
  limit: number,
  trx: TransactionClientContract
) {
  const result: unknown = await trx.rawQuery(
    `select max(id) as last, count(*) as count
     from (${sql} and ${id} > :after order by ${id} limit :limit) as chunk`,
    { ...bindings, after, limit }
  )
  const [{ last, count }] = readRows<{ last: number | null; count: number }>(result)
  return { last, count: Number(count) }
}

/** @returns the number of new recipients */
export async function addRecipients(
  { sql, id, bindings }: AudienceSource,
  { broadcastId, after, last }: { broadcastId: number; after: number; last: number },
  trx: TransactionClientContract
): Promise<number> {
  const result: unknown = await trx.rawQuery(
    `insert into broadcast_recipients (broadcast_id, email)
     select :broadcastId, chunk.email from (${sql} and ${id} > :after and ${id} <= :last) as chunk
     where true order by chunk.id on conflict (broadcast_id, email) do nothing`,
    { ...bindings, broadcastId, after, last }
  )
  return changeCount(result)
}

/** @returns the number of recipients, without repeated addresses */
export async function addListedRecipients(
  broadcastId: number,
  emails: string[],
  trx: TransactionClientContract
): Promise<number> {
  let [total, start] = [0, 0]
  await inParts(async (limit) => {
    const some = emails.slice(start, start + limit)
    start += some.length
    total += await addSomeRecipients(broadcastId, some, trx)
    return some.length
  })
  return total
}

async function addSomeRecipients(
  broadcastId: number,
  emails: string[],
  trx: TransactionClientContract
): Promise<number> {
  const list = usesPostgres()
    ? 'json_array_elements_text(cast(:list as json)) as given(value)'
    : 'json_each(:list) as given'
  const result: unknown = await trx.rawQuery(
    `insert into broadcast_recipients (broadcast_id, email)
     select :broadcastId, given.value from ${list} where true
     on conflict (broadcast_id, email) do nothing`,
    { broadcastId, list: JSON.stringify(emails) }
  )
  return changeCount(result)
}

/** PostgreSQL returns an object, SQLite the rows. */
export function readRows<Row>(result: unknown): Row[] {
  return (Array.isArray(result) ? result : (result as { rows: Row[] }).rows) as Row[]
}
