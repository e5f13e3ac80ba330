import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import webPush from 'web-push'
import { freePort } from '#tests/world/free_port'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'
import { startPostgres } from '#tests/world/postgres'
import { backendsOf } from '../world/postgres_cpu.ts'
import { cpuOf } from '../world/process_cpu.ts'
import { forkFile, nextMessage, stop as stopProcess } from '../world/processes.ts'

export const DATABASES = ['SQLite', 'PostgreSQL'] as const
export type Database = (typeof DATABASES)[number]

/** One process of the service with a database of its own, and a super admin's token for it. */
export interface Service {
  database: Database
  pid: number
  /** Of SQLite. */
  file: string
  databaseUrl?: string
  send(method: string, path: string, body?: object): Promise<unknown>
}

/** CPU time in microseconds. */
export interface Cost {
  service: number
  /** Of PostgreSQL. */
  database: number
}

const SUPER_ADMIN = 'root@acme.example'
const vapid = webPush.generateVAPIDKeys()

export class World {
  readonly #folder = mkdtempSync(join(tmpdir(), 'concierge-benchmark-'))
  readonly #endings = [async () => rmSync(this.#folder, { recursive: true, force: true })]
  #issuer!: TestIssuer
  #started = 0

  async start() {
    this.#issuer = await new TestIssuer().start()
    this.#endings.push(() => this.#issuer.stop())
    return this
  }

  async stop() {
    for (const end of this.#endings.reverse()) await end()
  }

  async service(database: Database, settings: Record<string, string> = {}): Promise<Service> {
    const file = join(this.#folder, `${this.#started++}.sqlite3`)
    const databaseUrl = database === 'SQLite' ? undefined : await this.#postgres()
    const place: Record<string, string> =
      databaseUrl === undefined
        ? { SQLITE_PATH: file }
        : { DB_CONNECTION: 'pg', DATABASE_URL: databaseUrl }
    const child = forkFile(new URL('servers/concierge.ts', import.meta.url), {
      ...(await this.#settings()),
      ...place,
      ...settings,
    })
    this.#endings.push(() => stopProcess(child))
    const { port } = await nextMessage<{ port: number }>(child, 'ready')
    const send = async (method: string, path: string, body?: object) => {
      // A new one for each request, because one of the beginning would expire.
      const authorization = `Bearer ${await this.#issuer.token(SUPER_ADMIN)}`
      const headers = { authorization, 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${port}/api${path}`
      const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`)
      return (JSON.parse(text) as { data: unknown }).data
    }
    return { database, pid: child.pid!, file, databaseUrl, send }
  }

  async #postgres() {
    const { url, stop } = await startPostgres()
    this.#endings.push(stop)
    return url
  }

  async #settings() {
    return {
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      APP_KEY: 'a-key-that-only-the-benchmark-knows',
      INTERNAL_API_KEY: 'internal-key-of-the-benchmark-0123456789',
      WEBHOOK_SECRET: 'webhook-secret-of-the-benchmark-01234',
      SUPER_ADMINS: SUPER_ADMIN,
      IDP_ISSUER: this.#issuer.url,
      IDP_AUDIENCE: AUDIENCE,
      SMTP_HOST: '127.0.0.1',
      SMTP_TLS: 'none',
      MAIL_FROM: 'benchmark@acme.example',
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'mailto:benchmark@acme.example',
      RATE_LIMIT_TOKEN: '0',
    }
  }
}

/** Longer than background work waits before it looks for more. */
const SETTLED_MS = 1_500

type Request = (index: number) => Promise<unknown>

/** The cost of one of `count` requests, one after another. */
export async function costOf(service: Service, count: number, request: Request): Promise<Cost> {
  const [cost] = await costOfEach([{ service, request }], count)
  return cost
}

/**
 * The cost of one of `count` requests to each of several services, which take turns with every
 * request, so that other work on the machine affects them alike.
 *
 * @param settles whether to include what the services do in the background afterwards
 */
export async function costOfEach(
  subjects: { service: Service; request: Request }[],
  count: number,
  { settles = false } = {}
): Promise<Cost[]> {
  for (;;) {
    const costs = await costUnlessEnded(subjects, count, settles)
    if (costs !== null) return costs
  }
}

/** @returns null if a connection ended meanwhile: it took its time with it */
async function costUnlessEnded(
  subjects: { service: Service; request: Request }[],
  count: number,
  settles: boolean
): Promise<Cost[] | null> {
  const connections = await Promise.all(subjects.map(({ service }) => connectionsOf(service)))
  const read = () =>
    subjects.map(({ service }, place) => ({
      service: cpuOf([service.pid]),
      database: cpuOf(connections[place]),
    }))
  try {
    const before = read()
    for (let index = 0; index < count; index++) {
      const order = index % 2 === 0 ? subjects : subjects.toReversed()
      for (const { request } of order) await request(index)
    }
    if (settles) await pause(SETTLED_MS)
    return read().map((after, place) => ({
      service: (after.service - before[place].service) / count,
      database: (after.database - before[place].database) / count,
    }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function connectionsOf({ databaseUrl }: Service) {
  return databaseUrl === undefined ? [] : ((await backendsOf(databaseUrl)) ?? [])
}
