import { DateTime } from 'luxon'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { Scene } from '#tests/access/scene'
import type { Body, SectionAccess } from '#tests/access/section_access'
import { subscribe } from '#tests/helpers/deliveries'
import { aNotification } from '#tests/helpers/inbox'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { VAPID } from '#tests/world/prepare'
import { Browser } from '#tests/world/push_service'

const PUSH_SERVICE = 'https://push.example'

const type = {
  name: 'Order shipped',
  description: 'Says where it is',
  emailEnabled: true,
  pushEnabled: true,
  userCanDisable: true,
  defaultEmail: true,
  defaultPush: false,
  selfServiceEnabled: true,
  urgent: true,
  digest: { allowed: ['daily'], default: 'daily', templateKey: null },
  emailFromName: 'The shop',
}

const template = {
  name: 'Main',
  description: 'The usual one',
  variables: [{ key: 'name', required: false }],
}

const newTemplate: Body = () => ({ key: uniqueCode('template'), ...template })

const changedTemplate: Body = () => ({ ...template, name: uniqueCode('name') })

const texts: Body = () => ({
  subjectTemplate: `${uniqueCode('hello')} {{name}}`,
  bodyTemplate: '<p>Hello {{name}}</p>',
})

const subscription: Body = () => {
  const { endpoint, keys } = new Browser(PUSH_SERVICE).subscription
  const vapidPublicKey = VAPID.publicKey
  return { subscription: { endpoint, keys }, deviceLabel: 'Telephone', vapidPublicKey }
}

const ofApplication = ({ application: { code } }: Scene) => code

async function notificationIn({ application }: Scene) {
  return (await aNotification(uniqueEmail(), { appCode: application.code })).id
}

async function scheduledNotificationIn({ application }: Scene) {
  const scheduledFor = DateTime.utc().plus({ days: 1 })
  const fields = { appCode: application.code, status: 'scheduled', scheduledFor } as const
  return (await aNotification(uniqueEmail(), { ...fields, statusReason: 'SEND_AT' })).id
}

/** All its channels are switched off. */
async function failedNotificationIn({ application }: Scene) {
  const switches = { emailEnabled: false, pushEnabled: false }
  const { code } = await aType(application, switches)
  const fields = { appCode: application.code, type: code, payload: { subject: 'A', body: 'B' } }
  return (await aNotification(uniqueEmail(), { ...fields, status: 'failed' })).id
}

async function templateIn({ application }: Scene) {
  const made = await aTemplate(application, await aType(application))
  for (const subjectTemplate of ['First', 'Second']) await aVersion(made, 'en', { subjectTemplate })
  return made
}

/** Someone else, but the same for the whole path. */
const deviceOwnerOf = ({ email }: Scene) => `owner-of-devices-of-${email}`

export default {
  parameters: {
    'i18n/:locale': () => 'en',
    'notifications/:appCode': ofApplication,
    'types/:appCode': ofApplication,
    'templates/:appCode': ofApplication,
    'log/:appCode': ofApplication,
    'log/:appCode/:id': notificationIn,
    'log/:appCode/:id/resend': failedNotificationIn,
    'log/:appCode/:id/cancel': scheduledNotificationIn,
    'notifications/:id': scheduledNotificationIn,
    'app/:appCode': ofApplication,
    'stats/:appCode': ofApplication,
    'log/:email': async () => (await ensureUser({ email: uniqueEmail() })).email,
    'api/users/:email/push-subscriptions': async (scene) =>
      (await ensureUser({ email: deviceOwnerOf(scene) })).email,
    'push-subscriptions/:id': async (scene) =>
      (await subscribe(deviceOwnerOf(scene), new Browser(PUSH_SERVICE))).id,
    ':appCode/:type': async ({ application }) => (await aType(application)).code,
    'templates/:id': async (scene) => (await templateIn(scene)).id,
    'locales/:locale': () => 'en',
    'history/:revision': () => '1',
    'preferences/:notificationTypeId': async ({ application }) => (await aType(application)).id,
    'subscriptions/:id': async ({ email }) =>
      (await subscribe(email, new Browser(PUSH_SERVICE))).id,
  },
  routes: {
    'GET /api/applications/:appCode/i18n/:locale': 'active',

    'GET /api/profile/me/notifications/:appCode': 'active',
    'PUT /api/profile/me/notifications/preferences/bulk': [
      'active',
      () => ({ updates: [] }),
      async ({ application }) => {
        const { id: notificationTypeId } = await aType(application)
        return { updates: [{ notificationTypeId, email: false, push: true, digest: 'off' }] }
      },
    ],
    'PUT /api/profile/me/notifications/preferences/:notificationTypeId': [
      'active',
      () => ({ email: true, push: false, digest: 'off' }),
    ],
    'GET /api/profile/me/quiet-hours': 'active',
    'PUT /api/profile/me/quiet-hours': [
      'active',
      () => ({
        enabled: true,
        timeZone: 'Europe/Prague',
        windows: [{ days: [1, 2, 3, 4, 5], from: '22:00', to: '07:00' }],
      }),
    ],
    'GET /api/profile/me/push/vapid-key': 'active',
    'GET /api/profile/me/push/subscriptions': 'active',
    'POST /api/profile/me/push/subscribe': ['active', subscription],
    'POST /api/profile/me/push/unsubscribe': ['active', () => ({ endpoint: PUSH_SERVICE })],
    'DELETE /api/profile/me/push/subscriptions/:id': 'active',

    'GET /api/users/:email/push-subscriptions': 'super',
    'DELETE /api/users/:email/push-subscriptions/:id': 'super',

    'GET /api/internal/notifications/types': ['ownInternal', (appCode) => ({ appCode })],
    'GET /api/internal/notifications/log/:email': 'anyInternal',
    'GET /api/internal/notifications/log/app/:appCode': 'ownInternal',
    'GET /api/internal/notifications/:id': 'ownInternal',
    'DELETE /api/internal/notifications/:id': 'ownInternal',
    'GET /api/internal/notifications/templates/:appCode': 'ownInternal',
    'PUT /api/internal/notifications/templates/:id': ['ownInternal', changedTemplate],
    'DELETE /api/internal/notifications/templates/:id': 'ownInternal',
    'GET /api/internal/notifications/templates/:id/locales': 'ownInternal',
    'GET /api/internal/notifications/templates/:id/locales/:locale': 'ownInternal',
    'GET /api/internal/notifications/templates/:id/locales/:locale/history': 'ownInternal',
    'GET /api/internal/notifications/templates/:id/locales/:locale/history/:revision':
      'ownInternal',
    'POST /api/internal/notifications/templates/:id/locales/:locale/restore': [
      'ownInternal',
      () => ({ revision: 1 }),
    ],
    'PUT /api/internal/notifications/templates/:id/locales/:locale': ['ownInternal', texts],
    'DELETE /api/internal/notifications/templates/:id/locales/:locale': 'ownInternal',
    'GET /api/internal/notifications/types/:appCode/:type/templates': 'ownInternal',
    'POST /api/internal/notifications/types/:appCode/:type/templates': ['ownInternal', newTemplate],

    'GET /api/admin/notifications/types/:appCode': 'view',
    'POST /api/admin/notifications/types/:appCode': [
      'edit',
      () => ({ code: uniqueCode('type'), ...type }),
    ],
    'GET /api/admin/notifications/types/:appCode/:type': 'view',
    'PUT /api/admin/notifications/types/:appCode/:type': ['edit', () => type],
    'DELETE /api/admin/notifications/types/:appCode/:type': 'edit',
    'GET /api/admin/notifications/types/:appCode/:type/samples': 'view',
    'PUT /api/admin/notifications/types/:appCode/:type/samples': [
      'edit',
      () => ({ samples: [{ name: 'First order', data: { order: { number: 'A-17' } } }] }),
    ],
    'GET /api/admin/notifications/templates/:appCode': 'view',
    'PUT /api/admin/notifications/templates/:id': ['tplEdit', changedTemplate],
    'DELETE /api/admin/notifications/templates/:id': 'tplEdit',
    'GET /api/admin/notifications/templates/:id/locales': 'tplView',
    'GET /api/admin/notifications/templates/:id/locales/:locale': 'tplView',
    'GET /api/admin/notifications/templates/:id/locales/:locale/history': 'tplView',
    'GET /api/admin/notifications/templates/:id/locales/:locale/history/:revision': 'tplView',
    'POST /api/admin/notifications/templates/:id/locales/:locale/restore': [
      'tplEdit',
      () => ({ revision: 1 }),
    ],
    'PUT /api/admin/notifications/templates/:id/locales/:locale': ['tplEdit', texts],
    'DELETE /api/admin/notifications/templates/:id/locales/:locale': 'tplEdit',
    'GET /api/admin/notifications/types/:appCode/:type/templates': 'view',
    'POST /api/admin/notifications/types/:appCode/:type/templates': ['edit', newTemplate],
    'POST /api/admin/notifications/templates/:id/locales/:locale/preview': [
      'tplView',
      () => ({ subject: 'Hello {{name}}', body: '<p>Hello</p>', data: {} }),
    ],
    'GET /api/admin/notifications/log': 'global',
    'GET /api/admin/notifications/log/:appCode': 'view',
    'GET /api/admin/notifications/log/:appCode/:id': 'view',
    'POST /api/admin/notifications/log/:appCode/:id/resend': 'edit',
    'GET /api/admin/notifications/log/:appCode/:id/body': 'view',
    'POST /api/admin/notifications/log/:appCode/:id/cancel': 'edit',
    'GET /api/admin/languages/coverage': 'panel',
    'GET /api/admin/notifications/stats/:appCode': 'view',
  },
} satisfies SectionAccess
