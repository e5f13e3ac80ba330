import { createKey } from '#app/applications/actions/create_key'
import Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'
import Instance from '#app/applications/models/instance'
import type { Scene } from '#tests/access/scene'
import type { Body, SectionAccess } from '#tests/access/section_access'
import { uniqueCode } from '#tests/helpers/people'

const application = {
  name: 'Shop',
  description: 'Sells',
  membership: 'open',
  outsideRecipients: false,
}

const entity: Body = () => ({
  code: uniqueCode('entity'),
  name: 'Document',
  description: 'On paper',
  idLabel: 'Number',
  listEndpoint: 'https://documents.example/list',
})

const urls = {
  baseUrl: 'https://shop.example',
  callbackUrls: ['https://shop.example/callback'],
  postLogoutUrls: ['https://shop.example/bye'],
}

const instance: Body = () => ({ name: uniqueCode('instance'), ...urls })

const resources: Body = () => ({
  resources: [{ resourceId: uniqueCode('document'), label: 'Contract', properties: { pages: 3 } }],
})

const resourceIds: Body = () => ({ resourceIds: [uniqueCode('document')] })

function entityIn({ application: { id }, listEndpoint }: Scene) {
  const code = uniqueCode('entity')
  return Entity.create({ applicationId: id, code, name: 'Entity', listEndpoint })
}

/** The body that deletes a resource of the entity that the path names. */
async function cataloguedIn(scene: Scene, key: { id: number } | { code: string }) {
  const applicationId = scene.application.id
  const { id: entityId } = await Entity.findByOrFail({ applicationId, ...key })
  const resource = { entityId, resourceId: uniqueCode('document'), label: null, properties: {} }
  const { resourceId } = await Resource.create(resource)
  return { resourceIds: [resourceId] }
}

export default {
  parameters: {
    'applications/:appCode': ({ application: { code } }) => code,
    'entities/:id': async (scene) => (await entityIn(scene)).id,
    'entities/:code': async (scene) => (await entityIn(scene)).code,
    'entities/:entityCode': async (scene) => (await entityIn(scene)).code,
    'instances/:id': async ({ application: { id: applicationId } }) => {
      const fields = { name: uniqueCode('instance'), baseUrl: 'https://shop.example' }
      const noUrls = { callbackUrls: [], postLogoutUrls: [] }
      return (await Instance.create({ applicationId, ...fields, ...noUrls })).id
    },
    'keys/:id': async ({ application: { code } }) =>
      (await createKey(code, { name: 'Server' })).key.id,
  },
  routes: {
    'GET /api/applications': 'active',
    'POST /api/applications': [
      'global',
      () => ({ code: uniqueCode(), supportedLanguages: ['en'], ...application }),
    ],
    'GET /api/applications/:appCode': 'view',
    'PUT /api/applications/:appCode': [
      'edit',
      () => ({ supportedLanguages: ['cs'], ...application }),
    ],
    'DELETE /api/applications/:appCode': 'global',

    'GET /api/applications/:appCode/brands': 'view',
    'PUT /api/applications/:appCode/brands': ['edit', () => ({ brands: ['default'] })],
    'GET /api/applications/:appCode/entities': 'view',
    'POST /api/applications/:appCode/entities': ['edit', entity],
    'GET /api/applications/:appCode/entities/:id': 'view',
    'PUT /api/applications/:appCode/entities/:id': ['edit', entity],
    'DELETE /api/applications/:appCode/entities/:id': 'edit',
    'GET /api/applications/:appCode/entities/:entityCode/items': 'view',
    'GET /api/applications/:appCode/entities/:id/resources': 'view',
    'PUT /api/applications/:appCode/entities/:id/resources': ['edit', resources],
    'POST /api/applications/:appCode/entities/:id/resources/delete': [
      'edit',
      resourceIds,
      (scene) => cataloguedIn(scene, { id: Number(scene.named?.get('entities/:id')) }),
    ],
    'GET /api/internal/applications/:appCode/entities/:code/resources': 'ownInternal',
    'PUT /api/internal/applications/:appCode/entities/:code/resources': ['ownInternal', resources],
    'POST /api/internal/applications/:appCode/entities/:code/resources/delete': [
      'ownInternal',
      resourceIds,
      (scene) => cataloguedIn(scene, { code: String(scene.named?.get('entities/:code')) }),
    ],
    'GET /api/applications/:appCode/instances': 'view',
    'POST /api/applications/:appCode/instances': ['edit', instance],
    'PUT /api/applications/:appCode/instances/:id': ['edit', instance],
    'DELETE /api/applications/:appCode/instances/:id': 'edit',
    'POST /api/applications/:appCode/instances/:id/approve': ['super', () => urls],
    'GET /api/applications/:appCode/keys': 'edit',
    'POST /api/applications/:appCode/keys': [
      'edit',
      () => ({ name: 'Server', expiresAt: '2099-01-01T00:00:00Z' }),
    ],
    'DELETE /api/applications/:appCode/keys/:id': 'edit',
  },
} satisfies SectionAccess
