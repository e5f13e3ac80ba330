import { readMigrations } from '#core/database/is_database_ready'
import { readProviderStatus } from '#app/identity_provider/email_provider/read_provider_status'
import { readIdentityProvider, readMailServer } from '#app/operations/actions/read_reachability'
import { type Queue, readQueues } from '#app/operations/queries/queues'
import type { Attention } from '#app/operations/values/attention'

const LONG_MS = 10 * 60_000

const WAITING = {
  sends: 'sends_waiting',
  providerMails: 'provider_mails_waiting',
  broadcasts: 'broadcasts_waiting',
  webhookEvents: 'webhook_events_waiting',
} as const satisfies Record<Queue['name'], Attention['kind']>

/** @param seesProviderMails Whether the caller can read the status of the e-mail provider */
export async function readPlatformAttention(seesProviderMails: boolean): Promise<Attention[]> {
  const [smtp, provider, mails, migrations, queues] = await Promise.all([
    readMailServer(),
    readIdentityProvider(),
    seesProviderMails ? readProviderStatus() : null,
    readMigrations(),
    readQueues(),
  ])
  const found: Attention[] = []
  const add = (kind: Attention['kind'], count: number | null = null) =>
    found.push({ kind, appCode: null, count })
  if (smtp.status === 'not_configured') add('smtp_not_configured')
  if (smtp.status === 'unreachable') add('smtp_unreachable')
  if (provider.status === 'unreachable') add('provider_unreachable')
  if (mails?.configured === false) add('provider_mails_not_set_up')
  if (migrations.pending.length > 0) add('migrations_pending', migrations.pending.length)
  for (const { name, waiting, oldestAt } of queues) {
    if (oldestAt && Date.now() - oldestAt.toMillis() > LONG_MS) add(WAITING[name], waiting)
  }
  return found
}
