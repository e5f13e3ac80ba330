import { test } from '@japa/runner'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'
import { violations } from '#tests/helpers/accessibility'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { confirm, confirmationOf, dialogOf, press } from '#tests/helpers/panel_parts'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

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

  test('are edited, and ask before what they are used for changes', async ({ client, assert }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const sales = await manage.permission({ code: 'sales' })
    const orders = await manage.permission({ code: 'orders' })
    await manage.permission({ code: 'stock' })
    const clerk = await manage.role({ code: 'clerk' })
    await manage.rolePermissions(clerk.id, [{ permissionId: orders.id, accessLevel: 'allowed' }])
    await manage.overrides(
      uniqueEmail(),
      ['order', '1'],
      [{ permissionId: orders.id, granted: true }]
    )
    const page = await openPanel(`/apps/${code}/permissions/${orders.id}`)
    const field = (name: string) => dialogOf(page).getByRole('textbox', { name, exact: true })
    const edit = async () => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await dialogOf(page).waitFor()
    }

    await edit()
    assert.equal(await field('Code').inputValue(), 'orders')
    await field('Name').fill('Orders of the shop')
    await field('Group')
      .or(dialogOf(page).getByRole('combobox', { name: 'Group' }))
      .fill('Sales')
    await dialogOf(page).getByRole('combobox', { name: 'Parent' }).selectOption('sales')
    await field('Description').fill('To see and to change them')
    assert.isEmpty(await violations(page))
    await press(page, 'Save')
    await dialogOf(page).waitFor({ state: 'hidden' })
    const saved = await Permission.findOrFail(orders.id)
    assert.containSubset(saved.toObject(), {
      code: 'orders',
      name: 'Orders of the shop',
      groupName: 'Sales',
      parentPermissionId: sales.id,
      description: 'To see and to change them',
    })

    await edit()
    expectProblem(page, /status of 409/)
    await field('Code').fill('stock')
    await press(page, 'Save')
    await confirmationOf(page).getByText('1 role').waitFor()
    await confirm(page, 'Change anyway')
    await page.locator('[aria-invalid=true]').waitFor()
    assert.isTrue(await field('Code').evaluate((input) => input.matches('[aria-invalid=true]')))
    await field('Code').fill('shop.orders')
    await press(page, 'Save')
    await confirmationOf(page).getByText('1 override').waitFor()
    assert.isEmpty(await violations(page))
    await confirm(page, 'Change anyway')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.equal((await Permission.findOrFail(orders.id)).code, 'shop.orders')
    assert.lengthOf(await RolePermission.findManyBy('permissionId', orders.id), 1)
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
