import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { allowed, manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { dialogOf, press } from '#tests/helpers/panel_parts'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

/** Someone with a role, and with an override that denies on one resource what the role gives. */
async function aDenial(client: ApiClient) {
  const { code: appCode } = await anApplication()
  const manage = manageApplication(client, appCode)
  const email = uniqueEmail('asked')
  const permission = await manage.permission({ code: 'sign' })
  await manage.permission({ code: 'archive' })
  await manage.entity({ code: 'contract' })
  const role = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
  await manage.userRoles(email, [role.id])
  await manage.overrides(
    email,
    ['contract', 'c1'],
    [{ permissionId: permission.id, granted: false }]
  )
  const address = (query: Record<string, string>) =>
    `/apps/${appCode}/why?${new URLSearchParams({ email, ...query })}`
  return { appCode, email, address }
}

const ON_CONTRACT = { permission: 'sign', resourceType: 'contract', resourceId: 'c1' }

test.group('Why? in the panel', () => {
  test('answers with a sentence, the path of rules, and their evidence', async ({
    client,
    assert,
  }) => {
    const { appCode, email } = await aDenial(client)
    const page = await openPanel(`/apps/${appCode}/why`)
    await page.getByRole('combobox', { name: 'Person' }).fill(email)
    await page.getByRole('combobox', { name: 'Permission' }).fill('sign')
    await page.getByRole('combobox', { name: 'Resource type' }).selectOption('contract')
    await page.getByRole('textbox', { name: 'Resource id' }).fill('c1')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('heading', { name: 'No: an override on contract c1 denies it.' }).waitFor()
    const rules = page.getByRole('list', { name: 'Rules in the order' }).getByRole('listitem')
    assert.equal(await rules.count(), 6)
    await rules.nth(3).getByText('decides: no').waitFor()
    await rules.nth(3).getByRole('link', { name: 'This override' }).click()
    await whenShown(page, 'Overrides')
    await page.getByRole('cell', { name: 'Deny' }).waitFor()
  })

  test('has an address that asks again', async ({ client, assert }) => {
    const { email, address } = await aDenial(client)
    const page = await openPanel(address(ON_CONTRACT))
    await page.getByRole('heading', { name: 'No: an override on contract c1' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Person' }).inputValue(), email)
  })

  test('makes the change that would allow it', async ({ client, assert }) => {
    const { appCode, email, address } = await aDenial(client)
    const page = await openPanel(address(ON_CONTRACT))
    const change = page.getByRole('listitem').filter({ hasText: 'Remove the override' })
    await change.getByRole('button', { name: 'Remove' }).click()
    await dialogOf(page).getByText('Then the roles').waitFor()
    await press(page, 'Remove')
    await page.getByRole('heading', { name: 'Yes: a role gives' }).waitFor()
    assert.isTrue(await allowed(client, { email, app: appCode, ...ON_CONTRACT }))
  })

  test('allows it on one resource only', async ({ client, assert }) => {
    const { appCode, email, address } = await aDenial(client)
    const resource = { permission: 'archive', resourceType: 'contract', resourceId: 'c2' }
    const page = await openPanel(address(resource))
    const change = page.getByRole('listitem').filter({ hasText: 'Allow it on contract c2 only' })
    await change.getByRole('button', { name: 'Allow' }).click()
    await press(page, 'Allow')
    await page.getByRole('heading', { name: 'Yes: an override' }).waitFor()
    const question = { email, app: appCode, permission: 'archive' }
    assert.isTrue(await allowed(client, { ...question, ...resource }))
    assert.isFalse(await allowed(client, question))
  })

  test('answers several questions side by side', async ({ client, assert }) => {
    const { address } = await aDenial(client)
    const page = await openPanel(address(ON_CONTRACT))
    await page.getByRole('button', { name: 'Compare with another question' }).click()
    await page.getByRole('combobox', { name: 'Permission' }).fill('archive')
    await page.getByRole('combobox', { name: 'Resource type' }).selectOption('')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('heading', { name: 'No: nothing gives' }).waitFor()
    await page.getByRole('heading', { name: 'No: an override' }).waitFor()
    await page.reload()
    await whenLoaded(page)
    assert.equal(await page.getByRole('heading', { name: /^No: / }).count(), 2)
    await page.getByRole('button', { name: 'Remove this question' }).first().click()
    await page.getByRole('heading', { name: 'No: an override' }).waitFor({ state: 'hidden' })
  })

  test('shows the answer as JSON and the question as a command', async ({ client, assert }) => {
    const { appCode, email, address } = await aDenial(client)
    const page = await openPanel(address(ON_CONTRACT))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'As JSON', exact: true }).click()
    const shown = JSON.parse(await page.locator('main pre').innerText())
    assert.isFalse(shown.allowed)
    await page.getByRole('button', { name: 'Copy as concierge' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(command, `concierge explain ${appCode} sign --for ${email} --resource contract:c1`)
  })

  test('is one click away from each effective permission', async ({ client }) => {
    const { appCode, email } = await aDenial(client)
    const page = await openPanel(`/people/${encodeURIComponent(email)}/access?app=${appCode}`)
    await page.getByRole('link', { name: 'Why? sign' }).click()
    await page.getByRole('heading', { name: 'Yes: a role gives' }).waitFor()
  })
})
