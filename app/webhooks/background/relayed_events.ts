import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccessScope } from '#core/events/access_changed'
import type { AddressedEvent } from '#app/webhooks/actions/store_events'
import type { RecentAccessChanges, UserChange } from '#app/webhooks/queries/change_log'
import { Members } from '#app/webhooks/queries/members'
import type { Subscription } from '#app/webhooks/subscriptions'

const applicationIds = (listening: Subscription[]) => [
  ...new Set(listening.map(({ applicationId }) => applicationId)),
]

/** For the applications that the users belong to. */
export async function userEvents(
  changes: UserChange[],
  listening: Subscription[],
  trx: TransactionClientContract
): Promise<AddressedEvent[]> {
  const emails = [...new Set(changes.map(({ email }) => email))]
  const members = await Members.read(emails, applicationIds(listening), trx)
  return changes.flatMap(({ type, email, at, sequence }) =>
    listening
      .filter(({ events, sinceSequence }) => events.has(type) && sequence > sinceSequence)
      .filter(({ applicationId }) => members.has(email, applicationId))
      .map(({ webhookId, application }) => ({
        ...{ webhookId, type, email, at },
        data: { application, email },
      }))
  )
}

/** One for each user of a change, or one for all users. */
export async function accessEvents(
  { changes, revision }: RecentAccessChanges,
  listening: Subscription[],
  trx: TransactionClientContract
): Promise<AddressedEvent[]> {
  const interested = listening.filter(({ events }) => events.has('access.changed'))
  if (interested.length === 0) return []
  // What is no longer known may have been about everybody.
  const known = changes ?? [{ revision, scopes: [{}] as AccessScope[] }]
  const everywhere = known.flatMap(({ scopes }) =>
    scopes.flatMap(({ email, application }) => (email && !application ? email : []))
  )
  const members = await Members.read([...new Set(everywhere)], applicationIds(interested), trx)
  return known.flatMap((change) =>
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
