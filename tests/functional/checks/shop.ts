import type { ApiClient } from '@japa/api-client'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

export const ORDER_1 = { resourceType: 'order', resourceId: '1' }

/** An application with four permissions, and a clerk who can view orders and export all but one. */
export async function aShop(client: ApiClient) {
  const application = await anApplication()
  const app = application.code
  const shop = manageApplication(client, app)
  const orders = await shop.permission({ code: 'orders', type: 'tiered', groupName: 'Sales' })
  const exporting = await shop.permission({ code: 'export', groupName: 'Sales' })
  const settings = await shop.permission({ code: 'settings', type: 'tiered', global: true })
  const audit = await shop.permission({ code: 'audit', groupName: 'Admin' })
  const clerk = await shop.role({ code: 'clerk' })
  await shop.rolePermissions(clerk.id, [
    { permissionId: orders.id, accessLevel: 'view' },
    { permissionId: exporting.id, accessLevel: 'allowed' },
  ])
  const email = uniqueEmail('clerk')
  await ensureUser({ email })
  await shop.userRoles(email, [clerk.id])
  await shop.overrides(
    email,
    ['order', '1'],
    [
      { permissionId: orders.id, granted: true },
      { permissionId: exporting.id, granted: false },
    ]
  )
  return {
    app,
    application,
    email,
    clerk,
    permissions: { orders, exporting, settings, audit },
    shop,
  }
}
