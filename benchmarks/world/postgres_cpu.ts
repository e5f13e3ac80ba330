import pg from 'pg'

/**
 * The processes that serve this database's connections, whose time is reported separately.
 * Undefined if the server may be on another machine.
 */
export async function backendsOf(url: string): Promise<number[] | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
       and pid <> pg_backend_pid()`
  )
  await client.end()
  return rows.map(({ pid }) => pid)
}
