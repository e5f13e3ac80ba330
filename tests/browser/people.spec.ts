import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import type { ApiClient } from '@japa/api-client'
import UserRole from '#app/permissions/models/user_role'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import PushSubscription from '#app/notifications/models/push_subscription'
import User from '#app/profiles/models/user'
import { violations } from '#tests/helpers/accessibility'
import { subscribe } from '#tests/helpers/deliveries'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { confirm, dialogOf, press, type } from '#tests/helpers/panel_parts'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { Browser } from '#tests/world/push_service'

const pathOf = (email: string, rest = '') => `/people/${encodeURIComponent(email)}${rest}`

async function anApplicationWithRoles(client: ApiClient) {
  const { code: appCode } = await anApplication()
  const manage = manageApplication(client, appCode)
  const clerk = await manage.role({ code: 'clerk', name: 'Clerk' })
  const manager = await manage.role({ code: 'manager', name: 'Manager' })
  return { appCode, manage, clerk, manager }
}

const rolesOf = async (email: string) =>
  (await UserRole.query().where({ email }).preload('role')).map(({ role }) => role.code).sort()

/** What a click downloads. */
async function downloaded(page: Page, button: string) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test.group('People in the panel', () => {
  test('are given roles of several applications at once', async ({ client, assert }) => {
    const [first, second] = [
      await anApplicationWithRoles(client),
      await anApplicationWithRoles(client),
    ]
    const email = uniqueEmail('picked')
    await ensureUser({ email })
    const page = await openPanel('/people')
    await page.getByRole('button', { name: 'Assign' }).click()
    const sheet = dialogOf(page)
    await type(page, 'Person', email)
    await page.getByRole('option', { name: email }).click()
    await type(page, 'Application', first.appCode)
    await page.getByRole('option', { name: first.appCode }).first().click()
    await type(page, 'Role', 'cle')
    await page.getByRole('option', { name: 'Clerk' }).click()
    await press(page, 'Another role')
    const another = sheet.getByRole('listitem').nth(1)
    await another.getByRole('combobox', { name: 'Application' }).fill(second.appCode)
    await page.getByRole('option', { name: second.appCode }).first().click()
    await another.getByRole('combobox', { name: 'Role' }).fill('manager')
    await page.keyboard.press('Escape')
    await press(page, 'Assign')
    await sheet.waitFor({ state: 'hidden' })
    assert.deepEqual(await rolesOf(email), ['clerk', 'manager'])
  })

  test('see at the field which role does not exist', async ({ client, assert }) => {
    const { appCode } = await anApplicationWithRoles(client)
    const email = uniqueEmail('nothing')
    const page = await openPanel(`/apps/${appCode}/people?assign=1`)
    await type(page, 'Person', email)
    await type(page, 'Role', 'no-such-role')
    await page.keyboard.press('Escape')
    await press(page, 'Assign')
    await dialogOf(page).getByRole('alert').filter({ hasText: 'no-such-role' }).waitFor()
    assert.equal(await dialogOf(page).getByRole('combobox', { name: 'Person' }).inputValue(), email)
    assert.deepEqual(await rolesOf(email), [])
  })

  test('become like another person', async ({ client, assert }) => {
    const { appCode, manage, clerk, manager } = await anApplicationWithRoles(client)
    const [email, other] = [uniqueEmail('like'), uniqueEmail('model')]
    await Promise.all([email, other].map((one) => ensureUser({ email: one })))
    await manage.userRoles(email, [clerk.id])
    await manage.userRoles(other, [manager.id])
    const page = await openPanel(pathOf(email))
    await page.getByRole('button', { name: 'Like another person' }).click()
    await type(page, 'Person', other)
    await page.keyboard.press('Escape')
    await dialogOf(page).getByText(appCode).first().waitFor()
    await dialogOf(page).getByRole('checkbox', { name: 'Remove other roles' }).check()
    assert.deepEqual(await rolesOf(email), ['clerk'])
    await press(page, 'Apply')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.deepEqual(await rolesOf(email), ['manager'])
  })

  test('are imported from CSV after a trial', async ({ client, assert }) => {
    const { appCode } = await anApplicationWithRoles(client)
    const [first, second] = [uniqueEmail('first'), uniqueEmail('second')]
    const page = await openPanel(`/apps/${appCode}/people`)
    await page.getByRole('button', { name: 'Import' }).click()
    const rows = dialogOf(page).getByRole('textbox', { name: 'Rows' })
    await rows.fill(`email,role\n${first},clerk\n${second},no-such-role`)
    await press(page, 'Check')
    await dialogOf(page).getByRole('cell', { name: 'role must be the code of a role' }).waitFor()
    assert.isFalse(await dialogOf(page).getByRole('button', { name: 'Import' }).isVisible())
    const file = `email,role\n${first},clerk\n${second},manager`
    await dialogOf(page)
      .getByLabel('CSV file')
      .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await press(page, 'Check')
    await dialogOf(page).getByText('Nothing has changed so far').waitFor()
    assert.deepEqual(await rolesOf(first), [])
    await press(page, 'Import')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.deepEqual(await rolesOf(first), ['clerk'])
    assert.deepEqual(await rolesOf(second), ['manager'])
    await page.getByRole('link', { name: second }).waitFor()
  })

  test('lose a role', async ({ client, assert }) => {
    const { appCode, manage, clerk } = await anApplicationWithRoles(client)
    const email = uniqueEmail('loses')
    await manage.userRoles(email, [clerk.id])
    const page = await openPanel(`/apps/${appCode}/people`)
    await page.getByRole('button', { name: `Remove clerk from ${email}` }).click()
    await confirm(page, 'Remove')
    assert.deepEqual(await rolesOf(email), [])
  })

  test('are deactivated and reactivated', async ({ assert }) => {
    const email = uniqueEmail('paused')
    const user = await ensureUser({ email })
    const page = await openPanel(pathOf(email))
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await confirm(page, 'Deactivate')
    await user.refresh()
    assert.isFalse(Boolean(user.active))
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await page.getByRole('button', { name: 'Deactivate' }).waitFor()
    await user.refresh()
    assert.isTrue(Boolean(user.active))
  })

  test('are bound to an account and released', async ({ assert }) => {
    const email = uniqueEmail('bound')
    const user = await ensureUser({ email })
    const page = await openPanel(pathOf(email))
    await page.getByRole('button', { name: 'Bind to an account' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Account id' }).fill(`account-of-${email}`)
    await press(page, 'Save')
    await page.getByRole('button', { name: 'Release' }).waitFor()
    await user.refresh()
    assert.equal(user.idpUserId, `account-of-${email}`)
    await page.getByRole('button', { name: 'Release' }).click()
    await confirm(page, 'Release')
    await user.refresh()
    assert.isNull(user.idpUserId)
  })

  test('have push devices, which can be removed', async ({ assert }) => {
    const email = uniqueEmail('devices')
    const hosts = ['https://updates.push.services.mozilla.com', 'https://push.example']
    for (const host of hosts) await subscribe(email, new Browser(host))
    const page = await openPanel(`/people/${encodeURIComponent(email)}`)
    const rows = page.getByRole('table', { name: 'Push devices' }).getByRole('row')
    await rows.filter({ hasText: 'Firefox' }).waitFor()
    await rows.filter({ hasText: 'push.example' }).waitFor()
    assert.isEmpty(await violations(page))
    await page.getByRole('button', { name: 'Remove Firefox' }).click()
    await confirm(page, 'Remove')
    await rows.filter({ hasText: 'Firefox' }).waitFor({ state: 'detached' })
    const { id } = await User.findByOrFail({ email })
    const left = await PushSubscription.findManyBy('userId', id)
    assert.lengthOf(left, 1)
    assert.include(left[0]!.endpoint, 'push.example')
  })

  test('are exported, alone and as a list', async ({ assert }) => {
    const email = uniqueEmail('exported')
    await ensureUser({ email })
    const page = await openPanel(pathOf(email))
    const one = await downloaded(page, 'Export everything')
    assert.equal(one.name, `${email}.json`)
    assert.include(JSON.stringify(JSON.parse(one.text)), email)
    await page.getByRole('link', { name: 'People' }).first().click()
    await page.getByRole('searchbox').fill(email)
    await page.getByText('1 entry').waitFor()
    await whenLoaded(page)
    const list = await downloaded(page, 'Export CSV')
    assert.equal(list.name, 'users.csv')
    assert.include(list.text, email)
  })

  test('are erased after typing who', async ({ client, assert }) => {
    const { manage, clerk } = await anApplicationWithRoles(client)
    const email = uniqueEmail('erased')
    await ensureUser({ email })
    await manage.userRoles(email, [clerk.id])
    const page = await openPanel(pathOf(email))
    await page.getByRole('button', { name: 'Erase' }).click()
    const confirmation = page.getByRole('alertdialog')
    await confirmation.getByText('role assignment').waitFor()
    assert.isTrue(await confirmation.getByRole('button', { name: 'Erase' }).isDisabled())
    await confirm(page, 'Erase', email)
    await whenShown(page, 'People')
    assert.isNull(await User.findBy({ email }))
    assert.deepEqual(await rolesOf(email), [])
  })
})
