import { DateTime } from 'luxon'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { PlanInput } from '#app/delivery/planning/delivery_plan'
import NotificationPreference from '#app/notifications/models/notification_preference'
import type NotificationType from '#app/notifications/models/notification_type'
import { readPushTargets } from '#app/notifications/actions/read_push_targets'
import { digestOf, nextDigestAt } from '#app/notifications/values/digest'
import { quietUntil } from '#app/notifications/values/quiet_time'
import type { PushTarget } from '#app/notifications/values/push_target'
import Brand from '#app/platform/models/brand'
import { newUser } from '#app/profiles/actions/create_users'
import { ensureUsers, findOrImagineUsers } from '#app/profiles/actions/ensure_users'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type User from '#app/profiles/models/user'
import { timeZoneOf } from '#app/profiles/values/time_zone_of'
import { readSuppressions } from '#app/suppressions/actions/read_suppressions'

export interface RecipientDetails extends Pick<PlanInput, 'suppressed' | 'digest' | 'quietUntil'> {
  user: User
  brand: Brand
  notificationsEnabled: boolean
  preference: { email: boolean; push: boolean } | null
  subscriptions: PushTarget[]
}

/** In the order of the requests, with one query per table. Creates missing user records. */
export async function readRecipients(requests: ResolvedRequest[]): Promise<RecipientDetails[]> {
  if (requests.length === 0) return []
  return readDetails(
    requests,
    await ensureUsers(requests.map(({ request }) => request.recipientEmail))
  )
}

/** The same without creating anything: missing records are as they would be. */
export async function readRecipientsOnly(requests: ResolvedRequest[]): Promise<RecipientDetails[]> {
  if (requests.length === 0) return []
  return readDetails(
    requests,
    await findOrImagineUsers(requests.map(({ request }) => request.recipientEmail))
  )
}

/** The details of somebody of whom only the address is known, whoever has that address. */
export async function imagineStranger(request: ResolvedRequest): Promise<RecipientDetails> {
  const email = request.request.recipientEmail
  const [details] = await readDetails([request], new Map([[email, newUser(email)]]))
  return { ...details, suppressed: null }
}

async function readDetails(
  requests: ResolvedRequest[],
  users: Map<string, User>
): Promise<RecipientDetails[]> {
  const userIds = [...users.values()].filter(({ $isPersisted }) => $isPersisted).map(({ id }) => id)
  const applicationIds = new Set(requests.map(({ application }) => application.id))
  const typeIds = new Set(requests.flatMap(({ type }) => (type ? [type.id] : [])))
  const [brandOf, switches, preferences, subscriptions, suppressions] = await Promise.all([
    findBrands([...users.values()]),
    ApplicationPreference.query()
      .whereIn('userId', userIds)
      .whereIn('applicationId', [...applicationIds]),
    NotificationPreference.query()
      .whereIn('userId', userIds)
      .whereIn('notificationTypeId', [...typeIds]),
    readPushTargets(userIds),
    readSuppressions(users.keys()),
  ])
  const enabled = new Map(
    switches.map((row) => [`${row.userId}\n${row.applicationId}`, row.notificationsEnabled])
  )
  const preferred = new Map(
    preferences.map((row) => [`${row.userId}\n${row.notificationTypeId}`, row])
  )

  const now = DateTime.utc()
  return requests.map(({ request, application, type }) => {
    const user = users.get(request.recipientEmail)!
    return {
      user,
      brand: brandOf(user),
      notificationsEnabled: enabled.get(`${user.id}\n${application.id}`) ?? true,
      preference: preferred.get(`${user.id}\n${type?.id}`) ?? null,
      subscriptions: subscriptions.get(user.id) ?? [],
      suppressed: suppressions.get(user.email) ?? null,
      digest: type && digestFor(type, preferred.get(`${user.id}\n${type.id}`), user, now),
      quietUntil: quietUntil(user.quietHours, now),
    }
  })
}

function digestFor(
  type: NotificationType,
  own: NotificationPreference | undefined,
  user: User,
  now: DateTime
): PlanInput['digest'] {
  const frequency = digestOf(type, own?.digest ?? null)
  if (frequency === 'off') return null
  return { frequency, dueAt: nextDigestAt(frequency, timeZoneOf(user), now) }
}

async function findBrands(users: User[]) {
  const chosen = new Set(users.flatMap(({ brandId }) => (brandId === null ? [] : [brandId])))
  const brands = await Brand.query()
    .whereIn('id', [...chosen])
    .orWhere('isDefault', true)
  const byId = new Map(brands.map((brand) => [brand.id, brand]))
  const fallback = brands.find(({ isDefault }) => isDefault)!
  return ({ brandId }: User) => byId.get(brandId ?? fallback.id) ?? fallback
}
