import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'
import UserRole from '#app/permissions/models/user_role'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

const CONDITION = 'context.risk < 3'

/** Someone who may sign by a role, someone who may on a condition, and one who may not on o-1. */
async function anApplicationWithSigners(client: ApiClient) {
  const application = await anApplication()
  const { code: appCode } = application
  const manage = manageApplication(client, appCode)
  const sign = await manage.permission({ code: 'sign', type: 'tiered' })
  const [clerk, guest] = [await manage.role({ code: 'clerk' }), await manage.role()]
  const grant = { permissionId: sign.id, accessLevel: 'edit' }
  await manage.rolePermissions(clerk.id, [grant])
  await manage.rolePermissions(guest.id, [{ ...grant, condition: CONDITION }])
  const [ada, alan, grace] = ['ada', 'alan', 'grace'].map(uniqueEmail) as [string, string, string]
  await manage.userRoles(ada, [clerk.id])
  await manage.userRoles(alan, [guest.id])
  await manage.userRoles(grace, [clerk.id])
  await manage.overrides(grace, ['order', 'o-1'], [{ permissionId: sign.id, granted: false }])
  return { application, appCode, sign, clerk, ada, alan, grace }
}

test.group('Who can? in the panel', () => {
  test('shows who has a permission, through what and on which condition', async ({
    client,
    assert,
  }) => {
    const { appCode, sign, ada, alan, grace } = await anApplicationWithSigners(client)
    const page = await openPanel(`/apps/${appCode}/permissions/${sign.id}`)
    await page.getByRole('link', { name: 'Who can?' }).last().click()
    await whenShown(page, 'Who can?')
    const row = (email: string) => page.getByRole('row').filter({ hasText: email })
    await row(ada).getByText('Role', { exact: true }).waitFor()
    await row(alan).getByText('Depends on context.risk').waitFor()
    await row(alan).getByText(CONDITION).waitFor()
    await row(grace).getByText('Edit', { exact: true }).waitFor()

    await page.getByRole('textbox', { name: 'Resource type' }).fill('order')
    await page.getByRole('textbox', { name: 'Resource id' }).fill('o-1')
    await row(grace).waitFor({ state: 'detached' })
    await row(ada).getByRole('link', { name: 'Why?' }).click()
    await whenShown(page, 'Why?')
    await page.getByRole('heading', { name: 'Yes: a role gives' }).waitFor()
    assert.include(page.url(), 'resourceId=o-1')
  })

  test('starts from a resource', async ({ client }) => {
    const { application, appCode, ada, grace } = await anApplicationWithSigners(client)
    const fields = { applicationId: application.id, code: 'order', name: 'Order' }
    const entity = await Entity.create(fields)
    await Resource.create({
      entityId: entity.id,
      resourceId: 'o-1',
      label: 'First',
      properties: {},
    })
    const page = await openPanel(`/apps/${appCode}/entities/${entity.id}/resources`)
    await page.getByRole('link', { name: 'Who can? First' }).click()
    await page.getByText('Choose a permission to see').waitFor()
    await page.getByRole('combobox', { name: 'Permission' }).fill('sign')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: ada, exact: true }).waitFor()
    await page.getByRole('link', { name: grace, exact: true }).waitFor({ state: 'detached' })
  })

  test('has pages', async ({ client, assert }) => {
    const { appCode, clerk } = await anApplicationWithSigners(client)
    const emails = Array.from({ length: 30 }, () => uniqueEmail('one'))
    await UserRole.createMany(emails.map((email) => ({ email, roleId: clerk.id })))
    const page = await openPanel(`/apps/${appCode}/who?permission=sign`)
    const seen = async () => {
      const links = page.getByRole('cell').getByRole('link', { name: /@/ })
      return (await links.allInnerTexts()).filter((text) => !text.startsWith('Why?'))
    }
    const first = await seen()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2').waitFor()
    await whenLoaded(page)
    const all = [...first, ...(await seen())]
    assert.lengthOf(first, 25)
    assert.includeMembers(all, emails)
    assert.lengthOf(all, new Set(all).size)
  })

  test('says what does not exist, and what went wrong', async ({ client }) => {
    const { appCode } = await anApplicationWithSigners(client)
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/apps/${appCode}/who?permission=singe`, { as })
    await page.getByText('There is no permission singe in this application.').waitFor()
    expectProblem(page, /status of 500/)
    await page.route(/access\/search\/subjects/, (route) => route.fulfill({ status: 500 }))
    await page.getByRole('combobox', { name: 'Permission' }).fill('sign')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await page.unroute(/access\/search\/subjects/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Depends on context.risk').waitFor()
  })
})
