import type { Body, BodyInScene, SectionAccess } from '#tests/access/section_access'
import { TEXT, aBroadcast, anEndedBroadcast } from '#tests/helpers/broadcasts'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const NEVER = '2099-01-01T00:00:00Z'

const audience = () => ({ kind: 'emails', emails: [uniqueEmail()] })

const generic: Body = () => ({
  type: 'generic',
  data: TEXT,
  audience: audience(),
  scheduledAt: NEVER,
})

/** Its data has no fields that must be text. */
const withAllFields: BodyInScene = async ({ application }) => {
  const type = await aType(application, { emailEnabled: false, pushEnabled: false })
  await aVersion(await aTemplate(application, type), 'en')
  return {
    type: type.code,
    template: 'main',
    data: {},
    locale: 'cs',
    audience: audience(),
    ratePerSecond: 10,
    scheduledAt: NEVER,
  }
}

const counted: BodyInScene = async (scene) => ({
  ...((await withAllFields(scene)) as object),
  expectedTotal: 1,
})

export default {
  parameters: {
    'broadcast/:appCode': ({ application: { code } }) => code,
    'broadcast/:appCode/:id': async ({ application }) =>
      (await aBroadcast(application, { scheduledAt: NEVER })).id,
    'broadcast/:appCode/:id/stream': async ({ application }) =>
      (await anEndedBroadcast(application)).id,
  },
  routes: {
    'GET /api/admin/notifications/broadcast/:appCode': 'view',
    'POST /api/admin/notifications/broadcast/:appCode': ['edit', generic, counted],
    'POST /api/admin/notifications/broadcast/:appCode/preview': ['edit', generic, withAllFields],
    'GET /api/admin/notifications/broadcast/:appCode/:id': 'view',
    'PUT /api/admin/notifications/broadcast/:appCode/:id': [
      'edit',
      () => ({ data: { ...TEXT, subject: uniqueCode('subject') } }),
      withAllFields,
    ],
    'GET /api/admin/notifications/broadcast/:appCode/:id/recipients': 'view',
    'GET /api/admin/notifications/broadcast/:appCode/:id/reasons': 'view',
    'GET /api/admin/notifications/broadcast/:appCode/:id/stream': 'view',
    'POST /api/admin/notifications/broadcast/:appCode/:id/pause': 'edit',
    'POST /api/admin/notifications/broadcast/:appCode/:id/resume': 'edit',
    'POST /api/admin/notifications/broadcast/:appCode/:id/cancel': 'edit',
  },
} satisfies SectionAccess
