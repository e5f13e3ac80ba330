import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { openPanel } from '#tests/helpers/open_panel'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

const OWN = 'resource.properties.owner == subject.email'

async function anApplicationWithRole(client: ApiClient) {
  const { code: appCode } = await anApplication()
  const manage = manageApplication(client, appCode)
  const orders = await manage.permission({ code: 'orders', type: 'tiered' })
  const reports = await manage.permission({ code: 'reports', type: 'tiered' })
  const role = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(role.id, [{ permissionId: orders.id, accessLevel: 'edit' }])
  const read = async (path: string) => (await superAdmin(client).get(path)).body().data
  return { appCode, orders, reports, role, read }
}

test.group('Conditions in the panel', () => {
  test('are set on a permission of a role and marked in the matrix', async ({ client, assert }) => {
    const { appCode, role, read } = await anApplicationWithRole(client)
    const page = await openPanel(`/apps/${appCode}/roles/${role.id}`)
    await page.getByRole('button', { name: 'Edit the condition of orders' }).click()
    const sheet = page.getByRole('dialog')
    const field = sheet.getByRole('textbox', { name: 'Condition' })
    expectProblem(page, /status of 400/)
    await field.fill('true &&\nresource.owner == 1')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.getByText('Unknown field: owner (line 2, column 10)').waitFor()
    await field.fill(OWN)
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('img', { name: `Only if ${OWN}` }).waitFor()
    const path = `/api/applications/${appCode}/roles/${role.id}/permissions`
    const [grant] = await read(path)
    assert.containsSubset(grant, { accessLevel: 'edit', condition: OWN })

    await page.goto(`/panel/apps/${appCode}/matrix`)
    await page.getByRole('gridcell', { name: `Edit, only if ${OWN}` }).waitFor()
  })

  test('are set on an override, and stay when another one is saved', async ({ client, assert }) => {
    const { appCode, orders, read } = await anApplicationWithRole(client)
    const email = uniqueEmail('conditional')
    const path = overridesPath(email, appCode, 'doc', '7')
    const validUntil = '2999-01-01T00:00:00.000Z'
    const given = { permissionId: orders.id, granted: true, condition: OWN, validUntil }
    await superAdmin(client).put(path, { permissions: [given] })
    const where = `email=${encodeURIComponent(email)}&resourceType=doc&resourceId=7`
    const page = await openPanel(`/apps/${appCode}/overrides?${where}&edit=1`)
    const sheet = page.getByRole('dialog')
    const field = (code: string) => sheet.getByRole('textbox', { name: `Condition of ${code}` })
    assert.equal(await field('orders').inputValue(), OWN)
    await sheet.getByRole('combobox', { name: 'reports' }).selectOption('deny')
    await sheet.getByRole('button', { name: 'Add a condition to reports' }).click()
    expectProblem(page, /status of 400/)
    await field('reports').fill('context.')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.getByText(/column 9\)/).waitFor()
    await field('reports').fill('context.risk > 3')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('img', { name: 'Only if context.risk > 3' }).waitFor()
    const rows = await read(path)
    assert.containsSubset(rows, [
      { permissionId: orders.id, condition: OWN, validUntil },
      { permission: 'reports', granted: false, condition: 'context.risk > 3' },
    ])
  })
})
