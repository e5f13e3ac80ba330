import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createServer } from '#tests/world/embedded_postgres'
import { freePort } from '#tests/world/free_port'

export interface TestPostgres {
  /** The connection string of an empty database. */
  url: string
  stop(): Promise<void>
}

/** No test cuts its power, so nothing has to reach the disk before a commit returns. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=400',
]

/** Uses the server that `TEST_DATABASE_URL` names, or starts one in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL
  return given ? createDatabaseOn(given) : startEmbedded()
}

async function startEmbedded(): Promise<TestPostgres> {
  // Not in a private folder, because the server runs as another user if we are root.
  const folder = join(tmpdir(), `concierge-pg-${randomBytes(6).toString('hex')}`)
  const flags = SETTINGS.flatMap((setting) => ['-c', setting])
  const { server, stop, url } = await createServer(folder, await freePort(), flags)
  await server.start()
  const database = await createDatabaseOn(url)
  return { url: database.url, stop }
}

export async function createDatabaseOn(serverUrl: string): Promise<TestPostgres> {
  const name = `concierge_test_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    stop: () => execute(serverUrl, `drop database ${name} with (force)`),
  }
}

async function execute(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
