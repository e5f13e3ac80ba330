import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'

export interface Queue {
  name: 'sends' | 'providerMails' | 'broadcasts' | 'webhookEvents'
  waiting: number
  /** When the oldest item started to wait */
  oldestAt: DateTime | null
}

interface Row {
  waiting: number | string | null
  oldest: unknown
}

/** Items that wait for a background process, not for their next attempt. */
export async function readQueues(): Promise<Queue[]> {
  const now = toDatabaseTimestamp(DateTime.utc())
  const [sends, providerMails, broadcasts, webhookEvents] = await Promise.all([
    db
      .from('pending_sends')
      .where('due_at', '<=', now)
      .count('* as waiting')
      .min('due_at as oldest'),
    db
      .from('provider_mails')
      .whereRaw("status = 'queued'")
      .where('due_at', '<=', now)
      .count('* as waiting')
      .min('due_at as oldest'),
    // From the counts, because reading all recipients would be slow for large audiences.
    db
      .from('broadcasts')
      .where('status', 'running')
      .select(db.raw('sum(total - sent - failed - skipped) as waiting'))
      .min('started_at as oldest'),
    // Nobody sends the events of a webhook that is switched off.
    db
      .from('webhook_deliveries')
      .join('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .where('webhooks.enabled', true)
      .where('due_at', '<=', now)
      .count('* as waiting')
      .min('due_at as oldest'),
  ])
  return [
    queueOf('sends', sends[0]),
    queueOf('providerMails', providerMails[0]),
    queueOf('broadcasts', broadcasts[0]),
    queueOf('webhookEvents', webhookEvents[0]),
  ]
}

function queueOf(name: Queue['name'], { waiting, oldest }: Row): Queue {
  return { name, waiting: Number(waiting ?? 0), oldestAt: parseDatabaseTimestamp(oldest) }
}
