import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#tests/world/postgres'
import { CONDITION } from './apis.ts'
import { startConcierge } from '../world/concierge.ts'
import { fillPostgres, fillSqlite } from '../world/fill.ts'
import { type ForkedServer, type Server, startNodeEcho, startServer } from '../world/processes.ts'
import { startCerbos } from './servers/cerbos.ts'
import type { Workload } from '../world/workload.ts'

const FASTIFY = new URL('servers/fastify.ts', import.meta.url)

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
      nodeEcho: started(await startNodeEcho()),
      fastify: started(await startServer(FASTIFY, { WORKLOAD_USERS: String(small.users) })),
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
