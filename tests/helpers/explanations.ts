import fc from 'fast-check'
import type Application from '#app/applications/models/application'
import NotificationPreference from '#app/notifications/models/notification_preference'
import type { TypeDigest } from '#app/notifications/values/digest_frequency'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import ApplicationPreference from '#app/profiles/models/application_preference'
import Suppression from '#app/suppressions/models/suppression'
import { SUPPRESSION_REASONS } from '#app/suppressions/values/suppression_reason'
import { DAILY } from '#tests/helpers/digests'
import { aTemplate, aType, subscribe } from '#tests/helpers/deliveries'
import { uniqueEmail } from '#tests/helpers/people'
import { quietHoursNow } from '#tests/helpers/quiet_hours'
import { inHours } from '#tests/helpers/scheduled_sends'
import type { PushService } from '#tests/world/push_service'

export const SECRET = 'hunter2-is-my-secret'

const switches = fc.record({ email: fc.boolean(), push: fc.boolean() })
const mostly = (usual: boolean) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.boolean())

const digests: fc.Arbitrary<TypeDigest> = fc.record({
  allowed: fc.constantFrom<TypeDigest['allowed'][]>(['daily'], ['daily', 'weekly']),
  default: fc.constantFrom('off' as const, 'daily' as const),
  templateKey: fc.constant(null),
})

/** Everything on which a send depends. */
export const scenes = fc.record({
  application: mostly(true),
  type: fc.record({
    exists: mostly(true),
    system: mostly(false),
    urgent: mostly(false),
    emailEnabled: mostly(true),
    pushEnabled: mostly(true),
    userCanDisable: fc.boolean(),
    defaultEmail: mostly(true),
    defaultPush: fc.boolean(),
    digest: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, digests),
  }),
  templates: fc.array(fc.subarray(['cs', 'en']), { maxLength: 2 }),
  template: fc.constantFrom('first', 'first', 'first', 'none', 'unknown'),
  user: fc.option(
    fc.record({
      active: mostly(true),
      locale: fc.constantFrom(null, 'cs', 'sk', 'en'),
      notificationsEnabled: mostly(true),
      preference: fc.option(switches),
      digest: fc.constantFrom(null, null, 'off' as const, 'weekly' as const),
      suppressed: fc.constantFrom(null, null, ...SUPPRESSION_REASONS),
      isSubscribed: fc.boolean(),
      isQuiet: fc.boolean(),
    })
  ),
  locale: fc.constantFrom(undefined, undefined, 'cs-CZ', 'de', 'xx'),
  hasText: mostly(true),
  hasRequired: mostly(true),
  /** Longer than a subject can be. */
  isTooLong: mostly(false),
  sendAt: fc.constantFrom(undefined, undefined, undefined, undefined, 24, -24),
})

export type Scene = typeof scenes extends fc.Arbitrary<infer Value> ? Value : never

const USUAL: Scene = {
  application: true,
  type: {
    exists: true,
    system: false,
    urgent: false,
    userCanDisable: true,
    emailEnabled: true,
    pushEnabled: true,
    defaultEmail: true,
    defaultPush: true,
    digest: null,
  },
  templates: [['cs', 'en']],
  template: 'first',
  user: null,
  locale: undefined,
  hasText: true,
  hasRequired: true,
  isTooLong: false,
  sendAt: undefined,
}

const USER: Scene['user'] = {
  active: true,
  locale: null,
  notificationsEnabled: true,
  preference: null,
  digest: null,
  suppressed: null,
  isSubscribed: false,
  isQuiet: false,
}

/** One for each decision, and for each reason that few random ones have. */
export const EXAMPLES: Scene[] = [
  USUAL,
  { ...USUAL, sendAt: 24 },
  { ...USUAL, type: { ...USUAL.type, digest: DAILY } },
  { ...USUAL, type: { ...USUAL.type, exists: false } },
  { ...USUAL, templates: [[]] },
  { ...USUAL, hasRequired: false },
  { ...USUAL, isTooLong: true },
  { ...USUAL, user: { ...USER, isQuiet: true } },
  { ...USUAL, user: { ...USER, isQuiet: true }, type: { ...USUAL.type, urgent: true } },
  { ...USUAL, user: { ...USER, isQuiet: true, isSubscribed: true, suppressed: 'hard_bounce' } },
  { ...USUAL, user: { ...USER, digest: 'off' }, type: { ...USUAL.type, digest: DAILY } },
  { ...USUAL, user: { ...USER, notificationsEnabled: false } },
  { ...USUAL, user: { ...USER, active: false } },
  { ...USUAL, user: { ...USER, preference: { email: false, push: true } } },
  { ...USUAL, user: { ...USER, suppressed: 'complaint' } },
  { ...USUAL, application: false },
  { ...USUAL, sendAt: -24 },
  { ...USUAL, template: 'unknown' },
  { ...USUAL, templates: [['en'], ['cs']], template: 'none' },
]

/** Stores what a scene needs. Returns the body of the send. */
export async function buildScene(scene: Scene, application: Application, service: PushService) {
  const { exists, ...fields } = scene.type
  const type = await aType(application, fields)
  const variables = [
    { key: 'item', required: true, sensitive: false },
    { key: 'pin', required: false, sensitive: true },
  ]
  const keys: string[] = []
  for (const locales of scene.templates) {
    const texts = { subject: '{{item}}', body: '<p>{{item}}: {{pin}}</p>' }
    const versions = Object.fromEntries(locales.map((locale) => [locale, texts]))
    keys.push((await aTemplate(type, versions, { variables })).key)
  }
  const email = uniqueEmail()
  if (scene.user) await storeUser(email, scene.user, { application, typeId: type.id, service })
  const requested = { first: keys[0], none: undefined, unknown: 'unknown' }[scene.template]
  return {
    recipientEmail: email,
    appCode: scene.application ? application.code : 'no-such-application',
    type: exists ? type.code : 'no-such-type',
    ...(requested && { template: requested }),
    ...(scene.locale && { locale: scene.locale }),
    ...(scene.sendAt && { sendAt: inHours(scene.sendAt) }),
    data: {
      pin: SECRET,
      ...(scene.hasText && { subject: 'Hello', body: 'There' }),
      ...(scene.hasRequired && { item: scene.isTooLong ? 'x'.repeat(2_000) : 'shoes' }),
    },
  }
}

async function storeUser(
  email: string,
  { active, locale, ...rest }: NonNullable<Scene['user']>,
  stored: { application: Application; typeId: number; service: PushService }
) {
  const { notificationsEnabled, preference, digest, suppressed, isSubscribed, isQuiet } = rest
  const { application, typeId, service } = stored
  const user = await ensureUser({ email })
  await user.merge({ active, locale, quietHours: isQuiet ? quietHoursNow() : null }).save()
  const own = { userId: user.id, applicationId: application.id }
  await ApplicationPreference.create({ ...own, notificationsEnabled })
  if (preference) {
    await NotificationPreference.create({
      userId: user.id,
      notificationTypeId: typeId,
      ...preference,
      digest,
    })
  }
  if (suppressed) await Suppression.create({ email, reason: suppressed })
  if (isSubscribed) await subscribe(email, service.newBrowser())
}
