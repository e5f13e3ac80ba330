import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'
import UserRole from '#app/permissions/models/user_role'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

/** Someone who may view orders as a clerk, and someone who has nothing. */
async function anApplicationWithClerk(client: ApiClient) {
  const { code: appCode } = await anApplication()
  const manage = manageApplication(client, appCode)
  const orders = await manage.permission({ code: 'orders', type: 'tiered' })
  const clerk = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(clerk.id, [{ permissionId: orders.id, accessLevel: 'view' }])
  const [ada, alan] = ['ada', 'alan'].map(uniqueEmail) as [string, string]
  await manage.userRoles(ada, [clerk.id])
  return { appCode, clerk, ada, alan, manage }
}

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const kindOf = (page: Page) => page.getByRole('combobox', { name: 'What changes' })

async function fill(page: Page, fields: Record<string, string>) {
  for (const [name, text] of Object.entries(fields)) {
    await page.getByRole('combobox', { name, exact: true }).fill(text)
    await page.keyboard.press('Escape')
  }
}
const add = (page: Page) => page.getByRole('button', { name: 'Add', exact: true }).click()

test.group('What if? in the panel', () => {
  test('shows who would gain and lose what, and stores nothing', async ({ client, assert }) => {
    const { appCode, clerk, ada, alan } = await anApplicationWithClerk(client)
    const page = await openPanel(`/apps/${appCode}`)
    await page.getByRole('navigation').getByRole('link', { name: 'What if?' }).click()
    await whenShown(page, 'What if?')
    await fill(page, { Person: alan, Role: 'clerk' })
    await add(page)
    await page.getByText(`${alan} gets the role clerk`).waitFor()
    await rowOf(page, alan).getByText('View', { exact: true }).waitFor()
    await page.getByText('1 gained').waitFor()

    await kindOf(page).selectOption('Someone loses a role')
    await fill(page, { Person: ada, Role: 'clerk' })
    await add(page)
    await rowOf(page, ada).getByText('Denied', { exact: true }).waitFor()
    await page.getByText('1 lost').waitFor()

    await kindOf(page).selectOption('A role gets other permissions')
    await fill(page, { Role: 'clerk', Permission: 'orders' })
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Edit')
    await add(page)
    await rowOf(page, alan).getByText('Edit', { exact: true }).waitFor()

    await page.reload()
    await rowOf(page, alan).getByText('Edit', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove change 2' }).click()
    await rowOf(page, ada).getByText('Edit', { exact: true }).waitFor()
    assert.lengthOf(await UserRole.findManyBy({ roleId: clerk.id }), 1)
    await rowOf(page, ada).getByRole('link', { name: 'Why today?' }).click()
    await whenShown(page, 'Why?')
    await page.getByRole('heading', { name: 'Yes: a role gives' }).waitFor()
  })

  test('keeps the other roles, grants and overrides of what it changes', async ({
    client,
    assert,
  }) => {
    const { appCode, ada, manage } = await anApplicationWithClerk(client)
    const sign = await manage.permission({ code: 'sign' })
    const signer = await manage.role({ code: 'signer' })
    await manage.rolePermissions(signer.id, [{ permissionId: sign.id, accessLevel: 'allowed' }])
    await manage.overrides(ada, ['order', '1'], [{ permissionId: sign.id, granted: true }])
    const changes = [
      ['assign', ada, 'signer'],
      ['override', ada, 'orders', 'order', '1', 'deny'],
    ]
    const query = encodeURIComponent(JSON.stringify(changes))
    const page = await openPanel(`/apps/${appCode}/what-if?changes=${query}`)
    await page.getByText('1 gained').waitFor()
    await page.getByText('1 lost').waitFor()
    await rowOf(page, 'sign').getByText('Allowed', { exact: true }).waitFor()
    await rowOf(page, 'orders').getByText('on order 1').waitFor()
    assert.equal(await page.getByRole('row').filter({ hasText: ada }).count(), 2)
  })

  test('has pages', async ({ client, assert }) => {
    const { appCode, clerk } = await anApplicationWithClerk(client)
    const emails = Array.from({ length: 60 }, () => uniqueEmail('one'))
    await UserRole.createMany(emails.map((email) => ({ email, roleId: clerk.id })))
    const query = encodeURIComponent('[["deleteRole","clerk"]]')
    const page = await openPanel(`/apps/${appCode}/what-if?changes=${query}`)
    await page.getByText('61 lost').waitFor()
    const seen = () => page.getByRole('row').filter({ hasText: '@' }).count()
    assert.equal(await seen(), 50)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2').waitFor()
    await whenLoaded(page)
    assert.equal(await seen(), 11)
  })

  test('takes a document, and says which change is refused and why', async ({ client }) => {
    const { appCode, ada } = await anApplicationWithClerk(client)
    const page = await openPanel(`/apps/${appCode}/what-if`)
    await page.getByRole('button', { name: 'A document' }).click()
    const document = page.getByRole('textbox', { name: 'Changes' })
    const ask = page.getByRole('button', { name: 'Show the effect' })
    await document.fill('changes:\n  - op: deleteRole\n    role: clerk\n')
    await ask.click()
    await rowOf(page, ada).getByText('Denied', { exact: true }).waitFor()
    await document.fill('nothing: here')
    await ask.click()
    await page.getByText('The document needs a list of changes.').waitFor()

    expectProblem(page, /status of 40[04]/)
    const second = [
      { op: 'createRole', code: 'new' },
      { op: 'deleteRole', role: 'nobody' },
    ]
    await document.fill(JSON.stringify({ changes: second }))
    await ask.click()
    await page.getByText('Change 2 would be refused:').waitFor()
    await page.getByRole('button', { name: 'A list' }).click()
    await fill(page, { Person: ada, Role: 'nobody' })
    await add(page)
    await page.getByText('There is no role nobody in this application.').waitFor()
  })

  test('needs what a change is about, and survives an address that makes no sense', async ({
    client,
    assert,
  }) => {
    const { appCode } = await anApplicationWithClerk(client)
    for (const changes of ['nonsense', '{"a":1}', '[["grant"],[1],null,["fly","x"]]']) {
      const query = encodeURIComponent(changes)
      const page = await openPanel(`/apps/${appCode}/what-if?changes=${query}`)
      await page.getByText('Add a change, and see').waitFor()
      await add(page)
      await page.getByText('This is needed.').waitFor()
      assert.equal(await page.getByRole('listitem').filter({ hasText: 'fly' }).count(), 0)
    }
  })

  test('is not offered to those who may only see the application', async ({ client, assert }) => {
    const { appCode } = await anApplicationWithClerk(client)
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/apps/${appCode}`, { as })
    assert.equal(await page.getByRole('link', { name: 'What if?' }).count(), 0)
    await page.goto(`/panel/apps/${appCode}/what-if`)
    await page.getByText('can try changes out here').waitFor()
  })
})
