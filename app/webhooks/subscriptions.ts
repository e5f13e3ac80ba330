import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { parseDatabaseTimestamp } from '#core/database/columns'
import { isPseudonym } from '#app/profiles/values/pseudonym'
import { type Executor, execute } from '#app/webhooks/queries/executor'
import type { EventType } from '#app/webhooks/values/event_types'
import webhooksConfig from '#config/webhooks'

/** What one webhook listens to. */
export interface Subscription {
  webhookId: number
  applicationId: number
  application: string
  /** In milliseconds since 1970. The code may have belonged to another application before. */
  applicationSince: number
  events: ReadonlySet<EventType>
  /** See the columns of the table. */
  sinceRevision: number
  sinceSequence: number
}

/** What events of notifications are about. */
export interface SentMessage {
  email: string
  appCode: string
  /** In milliseconds since 1970 */
  createdAt: number
}

/**
 * Whether a webhook gets an event about a message. Its code may have belonged to another
 * application when the message was sent, and the user may have been erased.
 */
export function listensTo(
  { application, applicationSince, events }: Subscription,
  type: EventType,
  { email, appCode, createdAt }: SentMessage
): boolean {
  const isOwn = appCode === application && createdAt >= applicationSince
  return isOwn && events.has(type) && !isPseudonym(email)
}

interface Row {
  id: number
  application_id: number
  code: string
  created_at: unknown
  events: string
  since_revision: number | string
  since_sequence: number
}

const ENABLED = `select webhooks.id, webhooks.application_id, webhooks.events,
    webhooks.since_revision, webhooks.since_sequence, applications.code, applications.created_at
  from webhooks join applications on applications.id = webhooks.application_id
  where webhooks.enabled order by webhooks.id`

/**
 * The enabled webhooks, cached for a moment: without webhooks, an event costs no query. They are
 * read on the connection of whoever asks, because a transaction of SQLite has the only one.
 */
export class Subscriptions {
  #known: Subscription[] = []
  #readAt = -Infinity
  #version = 0

  /** False if it is certain, without a query, that no webhook receives any of these events. */
  mayWant(types: readonly EventType[]): boolean {
    if (performance.now() - this.#readAt > webhooksConfig.subscriptionsTtlMs) return true
    return this.#known.some(({ events }) => types.some((type) => events.has(type)))
  }

  async read(executor: Executor): Promise<Subscription[]> {
    if (performance.now() - this.#readAt <= webhooksConfig.subscriptionsTtlMs) return this.#known
    const version = this.#version
    const startedAt = performance.now()
    const rows = await execute<Row>(executor, { name: 'enabled_webhooks', sql: ENABLED })
    const found = rows.map(subscriptionOf)
    if (version === this.#version) {
      this.#known = found
      this.#readAt = startedAt
    }
    return found
  }

  clearAfterCommit({ $trx }: { $trx?: TransactionClientContract }) {
    const clear = () => {
      this.#version++
      this.#readAt = -Infinity
    }
    if ($trx) $trx.after('commit', clear)
    else clear()
  }
}

function subscriptionOf(row: Row): Subscription {
  return {
    webhookId: row.id,
    applicationId: row.application_id,
    application: row.code,
    applicationSince: parseDatabaseTimestamp(row.created_at)!.toMillis(),
    events: new Set(JSON.parse(row.events) as EventType[]),
    sinceRevision: Number(row.since_revision),
    sinceSequence: row.since_sequence,
  }
}

export const subscriptions = new Subscriptions()
