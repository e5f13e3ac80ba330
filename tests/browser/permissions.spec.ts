import { test } from '@japa/runner'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { confirm, confirmationOf } from '#tests/helpers/panel_parts'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

test.group('Permissions and roles in the panel', () => {
  test('are found by search, or because nothing uses them', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const used = await manage.permission({ code: 'orders' })
    await manage.permission({ code: 'orders.refund' })
    await manage.permission({ code: 'stock' })
    const clerk = await manage.role({ code: 'clerk' })
    await manage.rolePermissions(clerk.id, [{ permissionId: used.id, accessLevel: 'allowed' }])
    const page = await openPanel(`/apps/${code}/permissions`)
    const linkTo = (name: string) => page.getByRole('link', { name, exact: true })
    await page.getByRole('searchbox').fill('refund')
    await linkTo('stock').waitFor({ state: 'detached' })
    await linkTo('orders.refund').waitFor()
    await page.getByRole('searchbox').fill('')
    await linkTo('stock').waitFor()
    await page.getByRole('checkbox').check()
    await linkTo('orders').waitFor({ state: 'detached' })
    assert.isTrue(await linkTo('stock').isVisible())
  })

  test('are deleted after showing what goes with them', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const orders = await manage.permission({ code: 'orders' })
    const clerk = await manage.role({ code: 'clerk' })
    await manage.rolePermissions(clerk.id, [{ permissionId: orders.id, accessLevel: 'allowed' }])
    await manage.userRoles(uniqueEmail(), [clerk.id])
    const page = await openPanel(`/apps/${code}/permissions/${orders.id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirmationOf(page)
      .getByText(/permission of a role/i)
      .first()
      .waitFor()
    await confirm(page, 'Delete', 'orders')
    await whenShown(page, 'Permissions')
    assert.isNull(await Permission.find(orders.id))

    await page.goto(`/panel/apps/${code}/roles/${clerk.id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirm(page, 'Delete', 'clerk')
    await whenShown(page, 'Roles')
    assert.isNull(await Role.find(clerk.id))
  })
})
