import { isoTimestamp } from '#core/values/iso_timestamp'
import { readAccessChanges } from '#core/changes/access_changes'
import { PreparedQuery } from '#core/database/prepared_query'
import AuditEntry from '#app/audit/models/audit_entry'
import { auditEntryResource } from '#app/audit/transformers/audit_entry_resource'
import {
  type AuditEvent,
  type Domain,
  type FeedEvent,
  LIFECYCLE_ACTIONS,
  type UserEvent,
} from '#app/change_feed/values/feed_event'
import feedConfig from '#config/change_feed'

export interface EventPage {
  /** Oldest first. */
  events: FeedEvent[]
  /** Every event up to this revision is on this page or an earlier one. */
  revision: number
  hasMore: boolean
}

interface EntryRow {
  id: number
  revision: number | string
}

/** A row is about entries that were sealed together. Its id is the revision of the last one. */
const REVISION = `(audit_revisions.id - (audit_revisions.first_sequence
  + audit_revisions.entries - 1 - audit_entries.sequence))`

const entriesAfter = (name: string, actions: readonly string[] | null) =>
  new PreparedQuery<EntryRow>(
    name,
    `select audit_entries.id, ${REVISION} as revision
     from audit_revisions
     join audit_entries on audit_entries.sequence >= audit_revisions.first_sequence
       and audit_entries.sequence < audit_revisions.first_sequence + audit_revisions.entries
     where audit_revisions.id > $1 and ${REVISION} > $1 and ${REVISION} <= $2
       ${actions ? `and audit_entries.action in ('${actions.join("', '")}')` : ''}
     order by audit_revisions.id, audit_entries.sequence limit $3`
  )

const allEntriesAfter = entriesAfter('audit_entries_after', null)
const userEntriesAfter = entriesAfter('user_entries_after', LIFECYCLE_ACTIONS)

/** The events of some domains after a revision, or a reset if they are no longer known. */
export async function readEvents(
  after: number,
  domains: ReadonlySet<Domain>,
  limit: number
): Promise<EventPage> {
  const wantsAccess = domains.has('access')
  const recent = await readAccessChanges(after, wantsAccess ? limit : 0)
  const { changes, latest } = recent
  if (changes === null) return reset(latest)
  const hasMore = wantsAccess && recent.hasMore
  const ends = hasMore ? changes.at(-1)!.revision : latest
  const access = changes.map((change) => ({ type: 'access' as const, ...change }))
  const entries = await readEntries(after, ends, domains, limit)
  const revision = entries.revision
  const events = [...access, ...entries.found.flatMap((found) => eventsOf(found, domains))]
    .filter((event) => event.revision <= revision)
    .sort((a, b) => a.revision - b.revision)
  return bounded({ events, revision, hasMore: hasMore || entries.hasMore }, limit)
}

const reset = (revision: number): EventPage => ({
  events: [{ type: 'reset', revision }],
  revision,
  hasMore: false,
})

interface NumberedEntry {
  revision: number
  entry: AuditEntry
}

interface NumberedEntries {
  found: NumberedEntry[]
  /** Every entry up to this revision is found. */
  revision: number
  hasMore: boolean
}

async function readEntries(
  after: number,
  until: number,
  domains: ReadonlySet<Domain>,
  limit: number
): Promise<NumberedEntries> {
  if (!domains.has('audit') && !domains.has('users')) {
    return { found: [], revision: until, hasMore: false }
  }
  const query = domains.has('audit') ? allEntriesAfter : userEntriesAfter
  const rows = await query.all([after, until, limit + 1])
  const shown = rows.slice(0, limit)
  const entries = await AuditEntry.findMany(shown.map(({ id }) => id))
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const found = shown.flatMap(({ id, revision }) => {
    const entry = byId.get(id)
    return entry ? [{ revision: Number(revision), entry }] : []
  })
  const hasMore = rows.length > limit
  return { found, revision: hasMore ? Number(shown.at(-1)!.revision) : until, hasMore }
}

/** A change to a user record is an event in two domains. */
function eventsOf(
  { revision, entry }: NumberedEntry,
  domains: ReadonlySet<Domain>
): (UserEvent | AuditEvent)[] {
  const events: (UserEvent | AuditEvent)[] = []
  const action = LIFECYCLE_ACTIONS.find((name) => name === entry.action)
  if (action && domains.has('users')) {
    events.push({ type: 'users', revision, action, email: entry.email, at: isoTimestamp(entry.at) })
  }
  if (domains.has('audit')) {
    events.push({ type: 'audit', revision, entry: auditEntryResource(entry) })
  }
  return events
}

/** Ends a page before it gets too long, but never between two events of one revision. */
function bounded(page: EventPage, limit: number): EventPage {
  let characters = 0
  for (const [index, event] of page.events.entries()) {
    characters += JSON.stringify(event).length
    const isFirst = event.revision === page.events[0].revision
    const isFull = characters > feedConfig.pageCharacters || index >= limit
    if (isFirst || !isFull || event.revision === page.events[index - 1].revision) continue
    return { events: page.events.slice(0, index), revision: event.revision - 1, hasMore: true }
  }
  return page
}
