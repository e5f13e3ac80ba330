import Entity from '#app/applications/models/entity'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import SuperAdmin from '#app/permissions/models/super_admin'
import type { Scene } from '#tests/access/scene'
import type { Body, SectionAccess } from '#tests/access/section_access'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'

const RESOURCE_TYPE = 'document'

const email: Body = () => ({ email: uniqueEmail('administrator') })
const noPermissions: Body = () => ({ permissions: [] })
const role: Body = () => ({ code: uniqueCode('role'), name: 'Seller', description: 'Sells' })

const permission: Body = () => ({
  code: uniqueCode('p'),
  type: 'tiered',
  name: 'Documents',
  description: 'Reads',
  groupName: 'Documents',
  global: false,
})

function permissionIn({ application: { id } }: Scene) {
  const fields = { code: uniqueCode('p'), type: 'tiered', global: false } as const
  return Permission.create({ applicationId: id, ...fields })
}

const roleIn = ({ application: { id } }: Scene) =>
  Role.create({ applicationId: id, code: uniqueCode('role') })

export default {
  parameters: {
    'permissions/:permissionId': async (scene) => (await permissionIn(scene)).id,
    'roles/:roleId': async (scene) => (await roleIn(scene)).id,
    'admins/:email': async () => {
      const address = uniqueEmail()
      await SuperAdmin.create({ email: address })
      return address
    },
    ':appCode/:email': async ({ application: { id } }) => {
      const address = uniqueEmail()
      await ApplicationAdmin.create({ email: address, applicationId: id })
      return address
    },
    'apps/:appCode': ({ application: { code } }) => code,
    'resources/:resourceType': () => RESOURCE_TYPE,
    ':resourceType/:resourceId': () => '7',
  },
  routes: {
    'GET /api/applications/:appCode/permissions': 'view',
    'POST /api/applications/:appCode/permissions': ['edit', permission],
    'GET /api/applications/:appCode/permissions/:permissionId': 'view',
    'PUT /api/applications/:appCode/permissions/:permissionId': ['edit', permission],
    'DELETE /api/applications/:appCode/permissions/:permissionId': 'edit',
    'GET /api/applications/:appCode/role-permissions': 'view',
    'PATCH /api/applications/:appCode/role-permissions': [
      'edit',
      () => ({ changes: [] }),
      async (scene) => {
        const [{ id: roleId }, { id: permissionId }] = [
          await roleIn(scene),
          await permissionIn(scene),
        ]
        return { changes: [{ roleId, permissionId, accessLevel: 'view' }] }
      },
    ],
    'GET /api/applications/:appCode/roles': 'view',
    'POST /api/applications/:appCode/roles': ['edit', role],
    'GET /api/applications/:appCode/roles/:roleId': 'view',
    'PUT /api/applications/:appCode/roles/:roleId': ['edit', role],
    'DELETE /api/applications/:appCode/roles/:roleId': 'edit',
    'GET /api/applications/:appCode/roles/:roleId/permissions': 'view',
    'PUT /api/applications/:appCode/roles/:roleId/permissions': [
      'edit',
      noPermissions,
      async (scene) => ({
        permissions: [{ permissionId: (await permissionIn(scene)).id, accessLevel: 'view' }],
      }),
    ],

    'GET /api/applications/:appCode/assignments': 'view',
    'POST /api/applications/:appCode/assignments/import': [
      'edit',
      () => ({ rows: [] }),
      async (scene) => ({ rows: [{ email: uniqueEmail(), role: (await roleIn(scene)).code }] }),
    ],

    'GET /api/users/:email/apps/:appCode/roles': 'view',
    'PUT /api/users/:email/apps/:appCode/roles': [
      'edit',
      () => ({ roleIds: [] }),
      async (scene) => ({ roleIds: [(await roleIn(scene)).id] }),
    ],
    'GET /api/users/:email/apps/:appCode/resources': 'view',
    'GET /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions': 'view',
    'PUT /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions': [
      'edit',
      noPermissions,
      async (scene) => {
        const { id: permissionId } = await permissionIn(scene)
        // Once an application has entities, the resource's type must be one of them.
        const entity = { applicationId: scene.application.id, code: RESOURCE_TYPE }
        const listEndpoint = 'https://documents.example/list'
        await Entity.firstOrCreate(entity, { name: 'Document', listEndpoint })
        return { permissions: [{ permissionId, granted: true, accessLevel: 'view' }] }
      },
    ],

    'GET /api/users/admins': 'super',
    'POST /api/users/admins': ['super', email],
    'DELETE /api/users/admins/:email': 'super',
    'GET /api/users/admins/apps/:appCode': 'view',
    'POST /api/users/admins/apps/:appCode': ['edit', email],
    'DELETE /api/users/admins/apps/:appCode/:email': 'edit',
  },
} satisfies SectionAccess
