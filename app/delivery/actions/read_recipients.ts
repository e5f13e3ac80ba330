import { DateTime } from 'luxon'
import { JoinedModels } from '#core/database/joined_models'
import { SharedStatements } from '#core/database/shared_statements'
import { hasCurrentKey } from '#core/values/vapid_key'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { PlanInput } from '#app/delivery/planning/delivery_plan'
import { type RecipientRow, requestStatements } from '#app/delivery/queries/request_statements'
import type NotificationType from '#app/notifications/models/notification_type'
import { deleteOutdatedSubscriptions } from '#app/notifications/actions/delete_outdated_subscriptions'
import { readPushTargets } from '#app/notifications/actions/read_push_targets'
import {
  type DigestChoice,
  digestOf,
  nextDigestAt,
} from '#app/notifications/values/digest_frequency'
import { quietUntil } from '#app/notifications/values/quiet_until'
import type { PushTarget } from '#app/notifications/values/push_target'
import Brand from '#app/platform/models/brand'
import { createUsers, newUser, newUsers } from '#app/profiles/actions/create_users'
import User from '#app/profiles/models/user'
import { timeZoneOf } from '#app/profiles/values/time_zone_of'
import { suppressedKeys } from '#app/suppressions/values/suppressed_keys'
import sendingConfig from '#config/sending'

export interface RecipientDetails extends Pick<PlanInput, 'suppressed' | 'digest' | 'quietUntil'> {
  user: User
  brand: Brand
  notificationsEnabled: boolean
  preference: { email: boolean; push: boolean } | null
  subscriptions: PushTarget[]
}

/** In the order of the requests. Creates missing users, and deletes outdated subscriptions. */
export async function readRecipients(requests: ResolvedRequest[]): Promise<RecipientDetails[]> {
  const [request, ...others] = requests
  const found =
    request && others.length === 0 ? [await lookUps.add(request)] : await findRecipients(requests)
  await deleteOutdatedSubscriptions(found.flatMap(({ subscriptions }) => subscriptions))
  const missing = addressesWithout(found)
  if (missing.length === 0) return found.map(detailsOf)
  const created = await createUsers(missing)
  // Someone else may have created one of them, with preferences.
  const again = await findRecipients(requests)
  const userOf = ({ user, email }: FoundRecipient) => user ?? created.get(email) ?? null
  const complete = again.map((each) => ({ ...each, user: userOf(each) }))
  // Someone who was found at first may have been erased since.
  if (addressesWithout(complete).length > 0) return readRecipients(requests)
  return complete.map(detailsOf)
}

/** The same without creating anything: missing records are as they would be. */
export async function readRecipientsOnly(requests: ResolvedRequest[]): Promise<RecipientDetails[]> {
  const found = await findRecipients(requests)
  const missing = addressesWithout(found)
  const imagined = missing.length === 0 ? [] : await newUsers(missing)
  const userOf = new Map(imagined.map((user) => [user.email, user]))
  return found.map((each) => detailsOf({ ...each, user: each.user ?? userOf.get(each.email)! }))
}

/** The details for an address alone, whoever has it. */
export async function imagineStranger(request: ResolvedRequest): Promise<RecipientDetails> {
  const email = request.request.recipientEmail
  const brand = await Brand.default()
  const unknown = { request, email, brand, row: null, subscriptions: [] }
  return detailsOf({ ...unknown, user: newUser(email) })
}

interface FoundRecipient {
  request: ResolvedRequest
  email: string
  /** Null without a record */
  user: User | null
  brand: Brand
  row: RecipientRow | null
  /** Also outdated ones */
  subscriptions: PushTarget[]
}

/** Of single sends that come at the same time. */
const lookUps = new SharedStatements(findRecipients, sendingConfig.mostTogether)

/** With one statement, and another one if someone has subscribed a browser. */
async function findRecipients(requests: ResolvedRequest[]): Promise<FoundRecipient[]> {
  if (requests.length === 0) return []
  const keys = new Map<string, string>()
  const given = requests.map(({ request: { recipientEmail: email }, application, type }, index) => {
    const known = keys.get(email) ?? JSON.stringify(suppressedKeys(email))
    keys.set(email, known)
    const about = { application_id: application.id, type_id: type?.id ?? null }
    return { position: index, email, keys: known, ...about }
  })
  const rows = await requestStatements().recipients.all([JSON.stringify(given)])
  const [userIn, brandIn] = [new JoinedModels(User), new JoinedModels(Brand)]
  const found = rows
    .toSorted((one, other) => one.position - other.position)
    .map((row, index) => ({
      request: requests[index],
      email: requests[index].request.recipientEmail,
      user: userIn.in(row),
      brand: brandIn.in(row)!,
      row,
    }))
  const withBrowsers = found.flatMap(({ user, row }) => (user && row.has_browsers ? [user.id] : []))
  const subscriptions =
    withBrowsers.length === 0 ? null : await readPushTargets([...new Set(withBrowsers)])
  return found.map((each) => ({
    ...each,
    subscriptions: (each.user && subscriptions?.get(each.user.id)) ?? [],
  }))
}

/** In a fixed order, which prevents concurrent requests from waiting for each other. */
const addressesWithout = (found: FoundRecipient[]) =>
  [...new Set(found.flatMap(({ user, email }) => (user === null ? [email] : [])))].sort()

function detailsOf({
  request: { type },
  user: known,
  brand,
  row,
  subscriptions,
}: FoundRecipient): RecipientDetails {
  const user = known!
  const now = DateTime.utc()
  const hasChosen = row !== null && row.prefers_email !== null
  return {
    user,
    brand,
    notificationsEnabled: Boolean(row?.notifications_enabled ?? true),
    preference: hasChosen
      ? { email: Boolean(row.prefers_email), push: Boolean(row.prefers_push) }
      : null,
    subscriptions: subscriptions.filter(hasCurrentKey),
    suppressed: row?.suppressed ?? null,
    digest: type && digestFor(type, row?.preferred_digest ?? null, user, now),
    quietUntil: quietUntil(user.quietHours, now),
  }
}

function digestFor(
  type: NotificationType,
  own: DigestChoice | null,
  user: User,
  now: DateTime
): PlanInput['digest'] {
  const frequency = digestOf(type, own)
  if (frequency === 'off') return null
  return { frequency, dueAt: nextDigestAt(frequency, timeZoneOf(user), now) }
}
