import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import type Application from '#app/applications/models/application'
import Delivery from '#app/delivery/models/delivery'
import { saveVersion } from '#app/notifications/actions/save_version'
import Notification from '#app/notifications/models/notification'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import PushSubscription from '#app/notifications/models/push_subscription'
import Brand from '#app/platform/models/brand'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { uniqueCode } from '#tests/helpers/people'
import { INTERNAL_KEY } from '#tests/world/prepare'
import { subjectOf } from '#tests/world/issuer'
import type { Browser } from '#tests/world/push_service'
import type { TestSmtpServer } from '#tests/world/smtp_server'

/** Posts to the internal notification API. */
export function postInternalNotification(
  client: ApiClient,
  path: string,
  body: object,
  headers: Record<string, string> = {}
) {
  return client
    .post(`/api/internal/notifications${path}`)
    .header('x-internal-api-key', INTERNAL_KEY)
    .headers(headers)
    .json(body)
}

export const sendNotification = (
  client: ApiClient,
  body: object,
  headers?: Record<string, string>
) => postInternalNotification(client, '', body, headers)

export function aType(application: Application, fields: Partial<NotificationType> = {}) {
  return NotificationType.create({
    applicationId: application.id,
    code: uniqueCode('type'),
    name: 'A type',
    description: null,
    emailEnabled: true,
    pushEnabled: true,
    userCanDisable: true,
    defaultEmail: true,
    defaultPush: true,
    selfServiceEnabled: true,
    system: false,
    urgent: false,
    ...fields,
  })
}

export async function aTemplate(
  type: NotificationType,
  versions: Record<string, { subject: string; body: string }>,
  fields: Partial<NotificationTemplate> = {}
) {
  const template = await NotificationTemplate.create({
    notificationTypeId: type.id,
    key: uniqueCode('template'),
    name: 'A template',
    description: null,
    variables: [],
    ...fields,
  })
  for (const [locale, { subject, body }] of Object.entries(versions)) {
    await saveVersion(template.id, locale, { subjectTemplate: subject, bodyTemplate: body })
  }
  return template
}

export async function subscribe(email: string, browser: Browser) {
  const user = await ensureUser({ email })
  // Whoever subscribes is signed in.
  if (user.idpUserId === null) user.bindTo(subjectOf(email), null)
  await user.save()
  const { endpoint, keys } = browser.subscription
  return PushSubscription.create({
    userId: user.id,
    idpUserId: user.idpUserId,
    endpoint,
    endpointDigest: PushSubscription.digestOf(endpoint),
    p256Dh: keys.p256dh,
    auth: keys.auth,
    deviceLabel: null,
    lastUsedAt: null,
  })
}

/** A person whose brand has its own SMTP server. */
export async function withOwnServer(
  email: string,
  server: Pick<TestSmtpServer, 'port'>,
  fields: Partial<Brand> = {}
) {
  const user = await ensureUser({ email })
  const slug = uniqueCode('brand')
  const brand = await Brand.create({
    slug,
    name: `Brand ${slug}`,
    isDefault: false,
    smtp: { host: '127.0.0.1', port: server.port, secure: false, user: null, password: null },
    ...fields,
  })
  await user.merge({ brandId: brand.id }).save()
  return brand
}

/** Gives all of them the brand of the first, which has this server. */
export async function withSharedServer(
  [first, ...others]: string[],
  server: Pick<TestSmtpServer, 'port'>
) {
  const { id: brandId } = await withOwnServer(first, server)
  for (const email of others) await (await ensureUser({ email })).merge({ brandId }).save()
}

export async function notificationRecordOf(id: number) {
  const notification = await Notification.findOrFail(id)
  const deliveries = await Delivery.query().where('notificationId', id).orderBy('channel')
  return {
    notification,
    deliveries: deliveries.map(({ channel, status, attempts, error, providerMessageId }) => ({
      channel,
      status,
      attempts,
      error,
      providerMessageId,
    })),
  }
}

export const notificationsOf = (email: string) => Notification.query().where('email', email)

export const minutesAgo = (minutes: number) => DateTime.utc().minus({ minutes })
