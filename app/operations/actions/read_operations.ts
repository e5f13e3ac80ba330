import { DateTime } from 'luxon'
import { readMigrations, type Migrations } from '#core/database/is_database_ready'
import { usesPostgres } from '#core/database/dialect'
import ApplicationKey from '#app/applications/models/application_key'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import {
  type Reachability,
  readIdentityProvider,
  readMailServer,
} from '#app/operations/actions/read_reachability'
import ProcessReport from '#app/operations/models/process_report'
import { type Queue, readQueues } from '#app/operations/queries/queues'
import { type MinuteSummary, summariseHour } from '#app/operations/values/latency'
import operationsConfig from '#config/operations'

export interface Operations {
  checkedAt: DateTime
  version: string
  database: { kind: 'postgresql' | 'sqlite'; migrations: Migrations }
  processes: ProcessReport[]
  queues: Queue[]
  smtp: Reachability
  identityProvider: Reachability & { lastHookCallAt: DateTime | null }
  keys: Keys
  hour: MinuteSummary[]
}

interface Keys {
  /** When the identity provider's current signing key was stored */
  providerSigningKeyAt: DateTime | null
  applicationKeys: number
  oldestApplicationKeyAt: DateTime | null
}

/** See platform.md#operations. */
export async function readOperations(): Promise<Operations> {
  const now = DateTime.utc()
  const [reports, queues, smtp, identityProvider, keys, migrations] = await Promise.all([
    ProcessReport.query().where('seenAt', '>', now.minus({ minutes: 60 }).toJSDate().toISOString()),
    readQueues(),
    readMailServer(),
    readProvider(),
    readKeys(),
    readMigrations(),
  ])
  const minutes = reports.flatMap(({ state }) => state.minutes)
  return {
    checkedAt: now,
    version: operationsConfig.version,
    database: { kind: usesPostgres() ? 'postgresql' : 'sqlite', migrations },
    processes: reports
      .filter(({ endedAt }) => endedAt === null)
      .sort((one, other) => one.id - other.id),
    queues,
    smtp,
    identityProvider,
    keys,
    hour: summariseHour(minutes, Math.floor(now.toMillis() / 60_000)),
  }
}

async function readProvider() {
  const [reachability, stored] = await Promise.all([
    readIdentityProvider(),
    NotificationProvider.current(),
  ])
  return { ...reachability, lastHookCallAt: stored?.lastHookCallAt ?? null }
}

async function readKeys(): Promise<Keys> {
  const [signingKey, oldest, [{ $extras }]] = await Promise.all([
    ProviderSigningKey.current(),
    ApplicationKey.query().orderBy('createdAt').first(),
    ApplicationKey.query().count('* as keys'),
  ])
  return {
    providerSigningKeyAt: signingKey?.createdAt ?? null,
    applicationKeys: Number($extras.keys),
    oldestApplicationKeyAt: oldest?.createdAt ?? null,
  }
}
