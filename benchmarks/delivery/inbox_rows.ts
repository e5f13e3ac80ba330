import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { World } from './world.ts'

/** One message in twenty is this person's; all others have ten each. */
export const READER = 'reader@acme.example'
const READER_SHARE = 20
const ROWS_PER_PERSON = 10

const COLUMNS =
  'email, app_code, app_name, type, template_key, locale, subject, status, payload, in_inbox, read_at, created_at'

/** What the record keeps of a message, for each number `n` that `source` has. */
const select = (source: string) => `insert into notifications (${COLUMNS})
  select case when n % ${READER_SHARE} = 0 then '${READER}'
      else 'person-' || (n / ${ROWS_PER_PERSON}) || '@acme.example' end,
    'shop', 'Shop', 'order-shipped', 'main', 'de', 'Ihre Bestellung ' || n || ' ist unterwegs', 'sent',
    '{"customer":"Jana","order":"A-1","carrier":"Post","link":"https://shop.acme.example/1"}',
    true, null, '2026-01-01T00:00:00.000Z' from ${source}`

/** Fills the inboxes of a service that has migrated its database. */
export async function fillInboxes(
  { file, databaseUrl }: Pick<World['services'][number], 'file' | 'databaseUrl'>,
  rows: number
) {
  if (file !== undefined) {
    const database = new Sqlite(file)
    database.pragma('busy_timeout = 5000')
    database.exec(
      select(`(with recursive numbers(n) as
        (select 1 union all select n + 1 from numbers where n < ${rows}) select n from numbers)`)
    )
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    select(`generate_series(1, ${rows}) n`)
      .replace("true, null, '2026", "true, null::timestamptz, timestamptz '2026")
      .replace(`'{"customer"`, `json '{"customer"`)
  )
  // What autovacuum would do within a minute.
  await client.query('vacuum analyze notifications')
  await client.end()
}
