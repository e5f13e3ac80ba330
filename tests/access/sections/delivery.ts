import { unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { Scene } from '#tests/access/scene'
import type { Body, SectionAccess } from '#tests/access/section_access'
import { uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const unknownType: Body = (appCode) => ({
  recipientEmail: uniqueEmail(),
  appCode,
  type: 'none-such',
})

async function messageIn(scene: Scene) {
  return { appCode: scene.application.code, ...(await messageToExplain(scene)) }
}

/** To no channel. The path names the application. */
async function messageToExplain({ application }: Scene) {
  const type = await aType(application, { emailEnabled: false, pushEnabled: false })
  await aVersion(await aTemplate(application, type), 'en')
  return {
    recipientEmail: uniqueEmail(),
    type: type.code,
    template: 'main',
    data: {},
    locale: 'cs',
  }
}

export default {
  parameters: {
    'explain/:appCode': ({ application }) => application.code,
    'unsubscribe/:token': async ({ application }) => {
      const [user, type] = [await ensureUser({ email: uniqueEmail() }), await aType(application)]
      return decodeURIComponent(unsubscribeUrl(user, type).split('/').at(-1)!)
    },
  },
  routes: {
    'POST /api/internal/notifications': ['ownInternal', unknownType, messageIn],
    'POST /api/internal/notifications/bulk': [
      'anyInternal',
      (appCode) => ({ notifications: [unknownType(appCode)] }),
      async (scene) => ({ notifications: [await messageIn(scene)] }),
    ],
    'POST /api/internal/notifications/explain': ['ownInternal', unknownType, messageIn],
    'GET /api/internal/notifications/:id/explain': 'ownInternal',
    'POST /api/admin/notifications/explain/:appCode': ['view', unknownType, messageToExplain],
    'GET /api/admin/notifications/log/:appCode/:id/explain': 'view',
    'POST /api/admin/notifications/templates/:id/locales/:locale/test': [
      'tplEdit',
      () => ({ data: {} }),
    ],
    'POST /api/admin/brands/:id/test': 'super',
    'GET /api/unsubscribe/:token': 'anyone',
    'POST /api/unsubscribe/:token': [
      'anyone',
      () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    ],
  },
} satisfies SectionAccess
