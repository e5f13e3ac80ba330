import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DateTime } from 'luxon'
import type { AccessChange } from '#core/changes/access_changes'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import type { AccessScope } from '#core/events/access_changed'
import { USER_EVENTS } from '#app/webhooks/values/event_types'
import webhooksConfig from '#config/webhooks'

const { relayBatch } = webhooksConfig

// Rows are locked, so that an erasure of a user comes before they are read, or finds the events.

export interface RecentAccessChanges {
  /** After the given revision, oldest first; null if they are no longer known. */
  changes: AccessChange[] | null
  /** Every change up to this one is among them. */
  revision: number
  hasMore: boolean
}

export async function readAccessChangesAfter(
  revision: number,
  trx: TransactionClientContract
): Promise<RecentAccessChanges> {
  const counter: Record<'revision' | 'removed_through', number | string> = await trx
    .from('change_revisions')
    .select('revision', 'removed_through')
    .firstOrFail()
  const latest = Number(counter.revision)
  // After a restored backup, the latest can be older than what is known.
  if (revision < Number(counter.removed_through) || revision > latest) {
    return { changes: null, revision: latest, hasMore: false }
  }
  const rows: AccessChangeRow[] = await trx
    .from('access_changes')
    .where('id', '>', revision)
    .where('id', '<=', latest)
    .orderBy('id')
    .limit(relayBatch)
    .if(usesPostgres(), (query) => query.forShare())
    .select('id', 'scopes')
  const changes = rows.map(changeOf)
  const hasMore = rows.length === relayBatch
  return { changes, revision: hasMore ? changes.at(-1)!.revision : latest, hasMore }
}

/** The latest changes since then, up to this revision, whether or not they became events. */
export async function readLatestAccessChanges(
  since: DateTime,
  revision: number,
  trx: TransactionClientContract
): Promise<AccessChange[]> {
  const rows: AccessChangeRow[] = await trx
    .from('access_changes')
    .where('id', '<=', revision)
    .where('at', '>=', toDatabaseTimestamp(since))
    .orderBy('id', 'desc')
    .limit(2 * relayBatch)
    .select('id', 'scopes')
  return rows.map(changeOf)
}

interface AccessChangeRow {
  id: number | string
  scopes: string
}

const changeOf = ({ id, scopes }: AccessChangeRow): AccessChange => ({
  revision: Number(id),
  scopes: JSON.parse(scopes) as AccessScope[],
})

export interface UserChange {
  sequence: number
  type: (typeof USER_EVENTS)[keyof typeof USER_EVENTS]
  email: string
  at: DateTime
}

export interface RecentUserChanges {
  changes: UserChange[]
  sequence: number
  hasMore: boolean
}

export async function readUserChangesAfter(
  sequence: number,
  trx: TransactionClientContract
): Promise<RecentUserChanges> {
  const head: { sequence: number } = await trx.from('audit_chain').select('sequence').firstOrFail()
  const rows: {
    sequence: number
    action: keyof typeof USER_EVENTS
    email: string | null
    at: unknown
  }[] = await trx
    .from('audit_entries')
    .where('sequence', '>', sequence)
    .where('sequence', '<=', head.sequence)
    .whereIn('action', Object.keys(USER_EVENTS))
    .orderBy('sequence')
    .limit(relayBatch)
    .if(usesPostgres(), (query) => query.forShare())
    .select('sequence', 'action', 'email', 'at')
  const changes = rows.flatMap(({ action, email, at, ...row }) =>
    email === null
      ? []
      : [{ ...row, email, type: USER_EVENTS[action], at: parseDatabaseTimestamp(at)! }]
  )
  const hasMore = rows.length === relayBatch
  return { changes, sequence: hasMore ? rows.at(-1)!.sequence : head.sequence, hasMore }
}
