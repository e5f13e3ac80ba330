import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Service } from './world.ts'

/** Of the million that SQLite writes at once. */
const CHUNK = 1_000_000

/**
 * `n` from 1: a change per minute. 200 administrators change 50 applications, 67 roles and the
 * rights of 61 users, so that each fills a page also among few entries. What is called rare is in
 * the oldest hundred only.
 */
const columns = (at: string) => `
  n, ${at},
  case when n % 100 < 90 then 'user' when n % 100 < 97 then 'server' else 'command' end,
  case when n <= 100 then 'rare@acme.example'
    when n % 100 < 90 then 'admin' || (n * 7 % 200) || '@acme.example' end,
  case when n % 100 >= 90 then 'a key' end,
  case when n <= 100 then 'brand.created'
    when n % 3 = 0 then 'user.roles_replaced'
    when n % 3 = 1 then 'role.permissions_replaced' else 'template_version.saved' end,
  case when n <= 100 then 9999 else 1000 + n * 13 % 50 end,
  case when n <= 100 then 'rare' else 'app-' || (n * 13 % 50) end,
  case when n <= 100 then 'brand' when n % 3 = 0 then 'user' else 'role' end,
  cast(n % 67 as text), 'label ' || (n % 67),
  case when n <= 100 then 'gone@acme.example'
    when n % 3 = 0 then 'user' || (n % 61) || '@acme.example' end,
  'request ' || n, '192.0.2.1', n, '${'a'.repeat(64)}',
  '{"clerk":{"validFrom":null,"validUntil":null}}', '{"seller":{"validFrom":null,"validUntil":null}}'`

const INTO = `insert into audit_entries (id, at, actor_kind, actor_email, actor_name, action,
  application_id, application, target_kind, target_id, target_label, email, request_id, address,
  sequence, hash, state_before, state_after)`

/** The code of the application of an entry. */
export const codeOf = (n: number) => `app-${(n * 13) % 50}`

/** When the entry was written: a minute after the one before. */
export const timeOf = (n: number) => new Date(Date.UTC(2005, 0, 1) + n * 60_000).toISOString()

export interface Build {
  seconds: number
  megabytes: number
}

/** Replaces all entries of a service. SQL writes the rows, and the indexes after them. */
export async function fillEntries(service: Service, count: number): Promise<Build> {
  const start = performance.now()
  const bytes = service.databaseUrl
    ? await fillPostgres(service.databaseUrl, count)
    : fillSqlite(service.file, count)
  const seconds = Math.round((performance.now() - start) / 1_000)
  return { seconds, megabytes: Math.round(bytes / 2 ** 20) }
}

async function fillPostgres(url: string, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const run = (sql: string) => client.query(sql)
  const { rows } = await client.query<{ name: string; sql: string }>(
    `select indexname as name, indexdef as sql from pg_indexes
     where tablename = 'audit_entries' and indexdef not like 'CREATE UNIQUE%'`
  )
  for (const { name } of rows) await run(`drop index ${name}`)
  await run('truncate audit_entries')
  const at = `timestamptz '2005-01-01T00:00:00Z' + n * interval '1 minute'`
  await run(`${INTO} select ${columns(at)} from generate_series(1, ${count}) n`)
  await run(`select setval('audit_entries_id_seq', ${count})`)
  await run(`update audit_chain set sequence = ${count}`)
  await run(`set maintenance_work_mem = '512MB'`)
  for (const { sql } of rows) await run(sql)
  // What autovacuum would do within minutes.
  await run('vacuum (analyze) audit_entries')
  const size = await client.query<{ bytes: string }>(
    `select pg_total_relation_size('audit_entries') as bytes`
  )
  await client.end()
  return Number(size.rows[0].bytes)
}

function fillSqlite(file: string, count: number) {
  const database = new Sqlite(file)
  database.pragma('synchronous = off')
  const indexes = database
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master
       where type = 'index' and tbl_name = 'audit_entries' and sql is not null`
    )
    .all()
  for (const { name } of indexes) database.exec(`drop index ${name}`)
  database.exec('delete from audit_entries')
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', 1104537600 + n * 60, 'unixepoch')`
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, count)
    database.exec(
      `with recursive numbers(n) as (
         select ${from} union all select n + 1 from numbers where n < ${to}
       )
       ${INTO} select ${columns(at)} from numbers`
    )
  }
  for (const { sql } of indexes) database.exec(sql)
  database.exec(`update audit_chain set sequence = ${count}`)
  database.pragma('wal_checkpoint(truncate)')
  const [{ bytes }] = database
    .prepare<[], { bytes: number }>(
      'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()'
    )
    .all()
  database.close()
  return bytes
}
