import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccessChange } from '#core/changes/access_changes'
import type { AccessScope } from '#core/events/access_changed'
import type { AddressedEvent } from '#app/webhooks/actions/store_events'
import {
  type RecentAccessChanges,
  type UserChange,
  readLatestAccessChanges,
} from '#app/webhooks/queries/change_log'
import { Members } from '#app/webhooks/queries/members'
import type { Subscription } from '#app/webhooks/subscriptions'
import webhooksConfig from '#config/webhooks'

export interface RelayedEvents<Change> {
  events: AddressedEvent[]
  /** The last change that became events, if there were too many for all changes. */
  endedAt: Change | null
}

const applicationIds = (listening: Subscription[]) => [
  ...new Set(listening.map(({ applicationId }) => applicationId)),
]

/**
 * For the applications that the users belong to, or belonged to a moment ago: a deactivation often
 * comes with the removal of roles.
 */
export async function userEvents(
  changes: UserChange[],
  revision: number,
  listening: Subscription[],
  trx: TransactionClientContract
): Promise<RelayedEvents<UserChange>> {
  if (changes.length === 0) return { events: [], endedAt: null }
  const emails = [...new Set(changes.map(({ email }) => email))]
  const members = await Members.read(emails, applicationIds(listening), trx)
  const [oldest] = changes
  const since = oldest.at.minus({ milliseconds: webhooksConfig.formerMemberMs })
  for (const change of await readLatestAccessChanges(since, revision, trx)) {
    for (const { email, application } of change.scopes) {
      const concerned = listening.find(
        (one) => one.application === application && change.revision > one.sinceRevision
      )
      if (email !== undefined && concerned) members.add(email, concerned.applicationId)
    }
  }
  return limited(changes, ({ type, email, at, sequence }) =>
    listening
      .filter(({ events, sinceSequence }) => events.has(type) && sequence > sinceSequence)
      .filter(({ applicationId }) => members.has(email, applicationId))
      .map(({ webhookId, application }) => ({
        webhookId,
        type,
        email,
        at,
        data: { application, email },
      }))
  )
}

/** One for each user of a change, or one for all users. */
export async function accessEvents(
  { changes, revision }: RecentAccessChanges,
  listening: Subscription[],
  trx: TransactionClientContract
): Promise<RelayedEvents<AccessChange>> {
  const interested = listening.filter(({ events }) => events.has('access.changed'))
  if (interested.length === 0) return { events: [], endedAt: null }
  // Changes that are no longer known may have been about all users.
  const known = changes ?? [{ revision, scopes: [{}] as AccessScope[] }]
  const everywhere = known.flatMap(({ scopes }) =>
    scopes.flatMap(({ email, application }) => (email && !application ? email : []))
  )
  const members = await Members.read([...new Set(everywhere)], applicationIds(interested), trx)
  return limited(known, (change) =>
    interested
      .filter(({ sinceRevision }) => changes === null || change.revision > sinceRevision)
      .flatMap((one) =>
        concernedUsers(change.scopes, one, members).map((email) => ({
          webhookId: one.webhookId,
          type: 'access.changed' as const,
          email,
          data: { application: one.application, email, revision: change.revision },
        }))
      )
  )
}

/** Those of the first changes. All events of a change are stored together. */
function limited<Change>(
  changes: Change[],
  eventsOf: (change: Change) => AddressedEvent[]
): RelayedEvents<Change> {
  const events: AddressedEvent[] = []
  for (const change of changes) {
    events.push(...eventsOf(change))
    if (events.length >= webhooksConfig.relayEvents) return { events, endedAt: change }
  }
  return { events, endedAt: null }
}

/** Null for all users. */
function concernedUsers(
  scopes: AccessScope[],
  { application, applicationId }: Subscription,
  members: Members
): (string | null)[] {
  const emails = new Set<string>()
  for (const scope of scopes) {
    if (scope.application !== undefined && scope.application !== application) continue
    if (scope.email === undefined) return [null]
    if (scope.application === application || members.has(scope.email, applicationId)) {
      emails.add(scope.email)
    }
  }
  return [...emails]
}
