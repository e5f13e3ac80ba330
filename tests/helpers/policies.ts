import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import Entity from '#app/applications/models/entity'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { createPermission } from '#app/permissions/actions/create_permission'
import { createRole } from '#app/permissions/actions/create_role'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import { replaceRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { anApplication } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

export const ADA = 'ada@policies.example'
export const ALAN = 'alan@policies.example'
const OWN = 'resource.properties.owner == subject.email'

/** An application in which every field of a policy has a value. */
export async function anApplicationWithPolicy() {
  const application = await anApplication()
  const { code, id: applicationId } = application
  const orders = await createPermission(code, {
    code: 'orders',
    name: 'Orders',
    description: 'Reads and changes orders',
    type: 'tiered',
    groupName: 'Sales',
  })
  const below = { parentPermissionId: orders.id, global: true }
  const refunds = await createPermission(code, { code: 'refunds', type: 'binary', ...below })
  const clerk = await createRole(code, { code: 'clerk', name: 'Clerk', description: 'Sells' })
  await replaceRolePermissions(code, clerk.id, [
    { permissionId: refunds.id, accessLevel: 'allowed' },
    { permissionId: orders.id, accessLevel: 'edit', condition: OWN },
  ])
  await Entity.create({
    applicationId,
    code: 'order',
    name: 'Order',
    description: 'Of a customer',
    idLabel: 'Number',
    listEndpoint: 'https://shop.example/orders',
  })
  const type = await aType(application, {
    code: 'shipped',
    description: 'When it leaves',
    emailFromName: 'Shop',
    emailEnabled: false,
    pushEnabled: false,
    userCanDisable: false,
    defaultEmail: false,
    defaultPush: false,
    selfServiceEnabled: false,
  })
  const template = await aTemplate(application, type, {
    description: 'For everyone',
    variables: [
      { key: 'number', required: true },
      { key: 'code', required: false, sensitive: true },
    ],
  })
  await aVersion(template, 'en', { bodyTemplate: '<p>{{number}}</p>\r\n' })
  await aVersion(template, 'cs')
  const window = { validFrom: DateTime.utc(2020), validUntil: DateTime.utc(2099) }
  await replaceUserRoles(ADA, code, [{ roleId: clerk.id, ...window }])
  await replaceOverrides({ email: ALAN, appCode: code, resourceType: 'order', resourceId: '42' }, [
    { permissionId: orders.id, granted: true, accessLevel: 'view', condition: OWN, ...window },
  ])
  await addApplicationAdmin(ALAN, code, window)
  return application
}

const WINDOW = { validFrom: '2020-01-01T00:00:00.000Z', validUntil: '2099-01-01T00:00:00.000Z' }

/** What is exported of it. */
export const exportedPolicy = (application: string) => ({
  application,
  permissions: [
    {
      code: 'orders',
      name: 'Orders',
      description: 'Reads and changes orders',
      type: 'tiered',
      groupName: 'Sales',
    },
    { code: 'refunds', type: 'binary', parent: 'orders', global: true },
  ],
  roles: [
    {
      code: 'clerk',
      name: 'Clerk',
      description: 'Sells',
      permissions: [
        { permission: 'orders', accessLevel: 'edit', condition: OWN },
        { permission: 'refunds', accessLevel: 'allowed' },
      ],
    },
  ],
  entities: [
    {
      code: 'order',
      name: 'Order',
      description: 'Of a customer',
      idLabel: 'Number',
      listEndpoint: 'https://shop.example/orders',
    },
  ],
  notificationTypes: [
    { code: 'generic', name: 'Generic' },
    {
      code: 'shipped',
      name: 'Order shipped',
      description: 'When it leaves',
      emailEnabled: false,
      pushEnabled: false,
      userCanDisable: false,
      defaultEmail: false,
      defaultPush: false,
      selfServiceEnabled: false,
      emailFromName: 'Shop',
      templates: [
        {
          key: 'main',
          name: 'Main',
          description: 'For everyone',
          variables: [
            { key: 'number', required: true },
            { key: 'code', required: false, sensitive: true },
          ],
          versions: [
            { locale: 'cs', subjectTemplate: 'Hello cs', bodyTemplate: '<p>Hello cs</p>' },
            { locale: 'en', subjectTemplate: 'Hello en', bodyTemplate: '<p>{{number}}</p>\r\n' },
          ],
        },
      ],
    },
  ],
})

export const exportedAssignments = {
  roles: [{ email: ADA, role: 'clerk', ...WINDOW }],
  overrides: [
    {
      email: ALAN,
      resourceType: 'order',
      resourceId: '42',
      permission: 'orders',
      granted: true,
      accessLevel: 'view',
      condition: OWN,
      ...WINDOW,
    },
  ],
  administrators: [{ email: ALAN, ...WINDOW }],
}

export type Document = Record<string, any>

/** Exports, plans and applies the policy of an application. */
export async function policyOf(client: ApiClient, appCode: string, email = SUPER_ADMIN) {
  const path = `/api/applications/${appCode}/policy`
  const authorization = `Bearer ${await issuer.token(email)}`
  const read = async (query = '') => {
    const response = await client.get(path + query).header('authorization', authorization)
    response.assertStatus(200)
    return response.body().data
  }
  const plan = (document: object, query = '') =>
    client.post(`${path}/plan${query}`).header('authorization', authorization).json(document)
  const put = (document: object, revision: string, query = '') =>
    client
      .put(path + query)
      .header('authorization', authorization)
      .header('if-match', revision)
      .json(document)
  const apply = async (document: object, query = '') => {
    const planned = await plan(document, query)
    planned.assertStatus(200)
    return put(document, planned.body().data.revision, query)
  }
  return { path, authorization, read, plan, put, apply }
}
