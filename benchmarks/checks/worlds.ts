import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import webPush from 'web-push'
import { freePort } from '#tests/world/free_port'
import { startPostgres } from '#tests/world/postgres'
import { CONDITION } from './apis.ts'
import { fillPostgres, fillSqlite } from './fill.ts'
import { type ForkedServer, type Server, startServer } from './processes.ts'
import { startCerbos } from './servers/cerbos.ts'
import type { Workload } from './workload.ts'

export type Database = 'SQLite' | 'PostgreSQL'

/** This service with one workload on one database. */
export interface Concierge extends ForkedServer {
  database: Database
  workload: Workload
  databaseUrl?: string
}

export interface World {
  nodeEcho: Server
  fastify: Server
  cerbos: Server
  small: Record<Database, Concierge>
  large: Record<Database, Concierge>
  /** The small workload, with everything granted under a condition. */
  conditional: Concierge
  stop(): Promise<void>
}

/** Starts everything that is measured, one process each. */
export async function startWorld(small: Workload, large: Workload): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-benchmark-'))
  const endings: (() => Promise<void>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ]
  const stop = async () => {
    for (const end of endings.reverse()) await end()
  }
  const started = <T extends Server>(server: T): T => {
    endings.push(() => server.stop())
    return server
  }
  const both = async (workload: Workload) => ({
    SQLite: started(await onSqlite(join(folder, `${workload.users}.sqlite3`), workload)),
    PostgreSQL: started(await onPostgres(workload, endings)),
  })
  try {
    return {
      nodeEcho: started(await startServer('node_echo.ts')),
      fastify: started(await startServer('fastify.ts', { WORKLOAD_USERS: String(small.users) })),
      cerbos: started(await startCerbos(folder)),
      small: await both(small),
      large: await both(large),
      conditional: started(await onSqlite(join(folder, 'conditional.sqlite3'), small, CONDITION)),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function onSqlite(path: string, workload: Workload, condition?: string): Promise<Concierge> {
  const server = await startConcierge({ SQLITE_PATH: path })
  fillSqlite(path, workload, condition)
  return { ...server, database: 'SQLite', workload }
}

async function onPostgres(
  workload: Workload,
  endings: (() => Promise<void>)[]
): Promise<Concierge> {
  const { url, stop } = await startPostgres()
  endings.push(stop)
  const server = await startConcierge({ DB_CONNECTION: 'pg', DATABASE_URL: url })
  await fillPostgres(url, workload)
  return { ...server, database: 'PostgreSQL', workload, databaseUrl: url }
}

const vapid = webPush.generateVAPIDKeys()

export const INTERNAL_KEY = 'internal-key-of-the-benchmark-0123456789'

/** @param file of `servers/` */
export async function startConcierge(
  settings: Record<string, string>,
  file = 'concierge.ts'
): Promise<ForkedServer> {
  return startServer(file, { ...(await productionSettings()), ...settings })
}

/** All that production requires, for a service on a free port. */
export async function productionSettings() {
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    APP_KEY: 'a-key-that-only-the-benchmark-knows',
    INTERNAL_API_KEY: INTERNAL_KEY,
    CHECK_ON_PUBLIC_PORT: 'true',
    WEBHOOK_SECRET: 'webhook-secret-of-the-benchmark-01234',
    // Never called: the measured endpoints take no tokens.
    IDP_ISSUER: 'http://127.0.0.1:9',
    IDP_AUDIENCE: 'benchmark',
    SMTP_HOST: '127.0.0.1',
    SMTP_TLS: 'none',
    MAIL_FROM: 'benchmark@acme.example',
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:benchmark@acme.example',
  }
}
