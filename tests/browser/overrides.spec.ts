import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { allowed, manageApplication, overridesPath } from '#tests/helpers/management'
import { openPanel, whenLoaded } from '#tests/helpers/open_panel'
import { dialogOf, press } from '#tests/helpers/panel_parts'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

test.group('Overrides in the panel', (group) => {
  const catalog = new TestHttpServer((_, response) => sendJson(response, []))
  group.setup(async () => {
    await catalog.start()
    return () => catalog.stop()
  })
  group.each.setup(() => {
    catalog.handler = (_, response) =>
      sendJson(response, [
        { id: 'o-1', name: 'Order of Ada' },
        { id: 'o-2', name: 'Order of Grace' },
      ])
  })

  /** An application whose orders are listed by the catalog, and someone with a role in it. */
  async function anApplicationWithOrders(client: ApiClient) {
    const { code: appCode } = await anApplication()
    const manage = manageApplication(client, appCode)
    const permission = await manage.permission({ code: 'ship' })
    await manage.instance({ baseUrl: catalog.url })
    await manage.entity({ code: 'order', name: 'Order', listEndpoint: `${catalog.url}/orders` })
    const role = await manage.role({ code: 'clerk' })
    const grant = { permissionId: permission.id, accessLevel: 'allowed' }
    await manage.rolePermissions(role.id, [grant])
    const email = uniqueEmail('override')
    await manage.userRoles(email, [role.id])
    const question = { email, app: appCode, permission: 'ship', resourceType: 'order' }
    return { appCode, email, permission, question }
  }

  test('are set on a resource that the application suggests', async ({ client, assert }) => {
    const { appCode, email, question } = await anApplicationWithOrders(client)
    const page = await openPanel(`/apps/${appCode}/overrides`)
    await page.getByRole('button', { name: 'New override' }).first().click()
    const sheet = dialogOf(page)
    await sheet.getByRole('combobox', { name: 'Person' }).fill(email)
    await sheet.getByRole('combobox', { name: 'Resource type' }).selectOption('order')
    await sheet.getByRole('combobox', { name: 'Resource id' }).fill('grace')
    await page.getByRole('option', { name: 'Order of Grace' }).click()
    await press(page, 'Next')
    await sheet.getByRole('combobox', { name: 'ship' }).selectOption('deny')
    await press(page, 'Save')
    await page.getByRole('cell', { name: 'Deny' }).waitFor()
    assert.isFalse(await allowed(client, { ...question, resourceId: 'o-2' }))
    assert.isTrue(await allowed(client, { ...question, resourceId: 'o-1' }))
  })

  test('are set on an id that was typed while the application fails', async ({
    client,
    assert,
  }) => {
    const { appCode, email, question } = await anApplicationWithOrders(client)
    catalog.handler = (_, response) => sendJson(response, {}, 500)
    const page = await openPanel(`/apps/${appCode}/overrides?edit=1`)
    const sheet = dialogOf(page)
    await sheet.getByRole('combobox', { name: 'Person' }).fill(email)
    await sheet.getByRole('combobox', { name: 'Resource type' }).selectOption('order')
    expectProblem(page, /status of 50[24]/)
    await sheet.getByRole('combobox', { name: 'Resource id' }).fill('o-9')
    await page.getByRole('listbox').getByRole('alert').waitFor()
    await press(page, 'Next')
    await sheet.getByRole('combobox', { name: 'ship' }).selectOption('deny')
    await press(page, 'Save')
    await page.getByRole('cell', { name: 'Deny' }).waitFor()
    assert.isFalse(await allowed(client, { ...question, resourceId: 'o-9' }))
  })

  test('are shown by person and by resource', async ({ client, assert }) => {
    const { appCode, email, permission } = await anApplicationWithOrders(client)
    const admin = superAdmin(client)
    const deny = { permissions: [{ permissionId: permission.id, granted: false }] }
    const other = uniqueEmail('other')
    await admin.put(overridesPath(email, appCode, 'order', 'o-1'), deny)
    await admin.put(overridesPath(other, appCode, 'order', 'o-2'), deny)
    const page = await openPanel(`/apps/${appCode}/overrides`)
    const rows = page.getByRole('row').filter({ hasText: 'ship' })
    assert.equal(await rows.count(), 2)
    await page.getByRole('combobox', { name: 'Person' }).fill(email)
    await page.keyboard.press('Escape')
    await rows.filter({ hasText: other }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Clear' }).click()
    await rows.nth(1).waitFor()
    await page.getByRole('combobox', { name: 'Resource type' }).selectOption('order')
    await page.getByRole('combobox', { name: 'Resource id' }).fill('o-2')
    await page.keyboard.press('Escape')
    await rows.filter({ hasText: email }).waitFor({ state: 'hidden' })
    await rows.filter({ hasText: other }).waitFor()
  })

  test("are saved next to someone else's, which are never overwritten", async ({
    client,
    assert,
  }) => {
    const { appCode, email, permission, question } = await anApplicationWithOrders(client)
    const another = await manageApplication(client, appCode).permission({ code: 'cancel' })
    const query = new URLSearchParams({
      email,
      resourceType: 'order',
      resourceId: 'o-1',
      edit: '1',
    })
    const page = await openPanel(`/apps/${appCode}/overrides?${query}`)
    const sheet = dialogOf(page)
    await sheet.getByRole('combobox', { name: 'ship' }).selectOption('deny')
    await superAdmin(client).put(overridesPath(email, appCode, 'order', 'o-1'), {
      permissions: [
        { permissionId: another.id, granted: true },
        { permissionId: permission.id, granted: true },
      ],
    })
    expectProblem(page, /status of 412/)
    await press(page, 'Save')
    await sheet.getByText('Someone else has changed these overrides').waitFor()
    await sheet.getByText('Now it is Allow').waitFor()
    await press(page, 'Save')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await whenLoaded(page)
    const resource = { ...question, resourceId: 'o-1' }
    assert.isFalse(await allowed(client, resource))
    assert.isTrue(await allowed(client, { ...resource, permission: 'cancel' }))
  })
})
