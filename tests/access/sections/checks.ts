import Permission from '#app/permissions/models/permission'
import type { Scene } from '#tests/access/scene'
import type { Body, BodyInScene, SectionAccess } from '#tests/access/section_access'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'

const check: Body = (app) => ({ app, email: uniqueEmail(), permission: 'read' })
const bulk: Body = (app) => ({ app, email: uniqueEmail(), permissions: ['read'] })
const effective: Body = (app) => ({ app, email: uniqueEmail(), resourceType: 'document' })
const ownCheck: Body = (app) => ({ app, permission: 'read' })
const ownBulk: Body = (app) => ({ app, permissions: ['read'] })
const ownEffective: Body = (app) => ({ app, resourceId: '7' })

const RESOURCE = { resourceType: 'document', resourceId: '7' }

async function aPermission({ application: { id } }: Scene) {
  const fields = { code: uniqueCode('p'), type: 'tiered', global: false } as const
  return (await Permission.create({ applicationId: id, ...fields })).code
}

const ownCheckIn: BodyInScene = async (scene) => ({
  app: scene.application.code,
  permission: await aPermission(scene),
  ...RESOURCE,
  level: 'view',
})

const ownBulkIn: BodyInScene = async (scene) => ({
  app: scene.application.code,
  permissions: [await aPermission(scene)],
  ...RESOURCE,
})

const someones =
  (body: BodyInScene): BodyInScene =>
  async (scene) => ({ email: uniqueEmail(), ...(await body(scene)) })

const subjectSearch: Body = (app) => ({ app, permission: 'read' })
const resourceSearch: Body = (app) => ({ app, permission: 'read', resourceType: 'document' })

const subjectSearchIn: BodyInScene = async (scene) => ({
  ...(await ownCheckIn(scene)),
  limit: 1_000,
})

const accessSearchIn: BodyInScene = async (scene) => ({
  permission: await aPermission(scene),
  ...RESOURCE,
  limit: 1_000,
})

const resourceSearchIn: BodyInScene = async (scene) => ({
  app: scene.application.code,
  permission: await aPermission(scene),
  resourceType: 'document',
  limit: 1_000,
})

export default {
  routes: {
    'POST /api/check': ['anyone', check, someones(ownCheckIn)],
    'POST /api/check/bulk': ['anyone', bulk, someones(ownBulkIn)],
    'POST /api/check/effective': ['anyone', effective],
    'POST /api/check/explain': ['anyone', check, someones(ownCheckIn)],
    'POST /api/check/cache/clear': 'anyone',
    'POST /api/check/search/subjects': ['anyone', subjectSearch, subjectSearchIn],
    'POST /api/check/search/resources': [
      'anyone',
      (app) => ({ email: uniqueEmail(), ...resourceSearch(app) }),
      someones(resourceSearchIn),
    ],
    'POST /api/check/search/permissions': ['anyone', effective],

    'POST /api/profile/me/check': ['own', ownCheck, ownCheckIn],
    'POST /api/profile/me/check/bulk': ['own', ownBulk, ownBulkIn],
    'POST /api/profile/me/check/effective': ['own', ownEffective],
    'POST /api/profile/me/check/explain': ['own', ownCheck, ownCheckIn],
    'POST /api/profile/me/check/search/resources': ['own', resourceSearch, resourceSearchIn],
    'POST /api/profile/me/check/search/permissions': ['own', ownEffective],
    'GET /api/profile/me/admin-status': 'active',

    'POST /api/applications/:appCode/access/effective': [
      'view',
      () => ({ email: uniqueEmail(), ...RESOURCE }),
    ],
    'POST /api/applications/:appCode/access/explain': [
      'view',
      () => ({ email: uniqueEmail(), permission: 'read' }),
      async (scene) => ({
        email: uniqueEmail(),
        permission: await aPermission(scene),
        level: 'view',
        ...RESOURCE,
      }),
    ],
    'POST /api/applications/:appCode/access/search/subjects': [
      'view',
      () => ({ permission: 'read', ...RESOURCE }),
      accessSearchIn,
    ],
    'POST /api/applications/:appCode/access/preview': [
      'edit',
      () => ({ changes: [{ op: 'addAdministrator', email: uniqueEmail() }], limit: 1_000 }),
    ],
  },
} satisfies SectionAccess
