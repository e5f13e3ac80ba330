import { generateKeyPairSync } from 'node:crypto'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import webPush from 'web-push'
import { freePort } from '#tests/world/free_port'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'
import { startPostgres } from '#tests/world/postgres'
import { forkFile, forkSink, nextMessage, stop as stopProcess } from '../world/processes.ts'

export type Database = 'SQLite' | 'PostgreSQL'

export interface Service {
  database: Database
  child: ChildProcess
  url: string
  file?: string
  databaseUrl?: string
  /** Has the million. */
  large: boolean
}

export interface World {
  sink: ChildProcess
  plain: ChildProcess
  services: Service[]
  issuer: TestIssuer
  stop(): Promise<void>
}

export const INTERNAL_KEY = 'internal-key-of-the-benchmark-0123456789'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const DKIM = {
  DKIM_DOMAIN: 'acme.example',
  DKIM_SELECTOR: 'benchmark',
  DKIM_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
/** Signs mails and sends them to the sink. */
export const mailSettings = (port: number) => {
  return { ...DKIM, SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), SMTP_TLS: 'none' }
}

const vapid = webPush.generateVAPIDKeys()

const fork = (file: string, settings: Record<string, string>) =>
  forkFile(new URL(`servers/${file}`, import.meta.url), settings)

/** Starts everything, one process each. */
export async function startWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-benchmark-'))
  const endings = [async () => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of endings.reverse()) await end()
  }
  const start = async (child: ChildProcess) => {
    endings.push(() => stopProcess(child))
    const { port } = await nextMessage<{ port: number }>(child, 'ready')
    return { child, port }
  }
  try {
    const issuer = await new TestIssuer().start()
    endings.push(() => issuer.stop())
    const sink = await start(forkSink())
    const mail = mailSettings(sink.port)
    const plain = await start(fork('plain.ts', mail))
    const service = async (large: boolean, place: { file?: string; databaseUrl?: string }) => {
      const settings = {
        ...(await settingsFor(issuer.url)),
        ...mail,
        ...(place.file === undefined
          ? { DB_CONNECTION: 'pg', DATABASE_URL: place.databaseUrl! }
          : { SQLITE_PATH: place.file }),
      }
      const { child, port } = await start(fork('concierge.ts', settings))
      const database: Database = place.file === undefined ? 'PostgreSQL' : 'SQLite'
      return { database, child, url: `http://127.0.0.1:${port}`, large, ...place }
    }
    const services = []
    for (const large of [false, true]) {
      services.push(await service(large, { file: join(folder, `${large}.sqlite3`) }))
      const postgres = await startPostgres()
      endings.push(() => postgres.stop())
      services.push(await service(large, { databaseUrl: postgres.url }))
    }
    return { sink: sink.child, plain: plain.child, services, issuer, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of a service whose tokens this issuer signs. */
export const settingsFor = async (issuerUrl: string) => ({
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
  APP_KEY: 'a-key-that-only-the-benchmark-knows',
  INTERNAL_API_KEY: INTERNAL_KEY,
  WEBHOOK_SECRET: 'webhook-secret-of-the-benchmark-01234',
  IDP_ISSUER: issuerUrl,
  IDP_AUDIENCE: AUDIENCE,
  MAIL_FROM: 'benchmark@acme.example',
  MAIL_FROM_NAME: 'Acme',
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  VAPID_SUBJECT: 'mailto:benchmark@acme.example',
  RATE_LIMIT_INTERNAL: '0',
  RATE_LIMIT_TOKEN: '0',
})
