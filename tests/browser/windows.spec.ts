import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import UserRole from '#app/permissions/models/user_role'
import { allowed, inPath, manageApplication, overridesPath } from '#tests/helpers/management'
import { openPanel } from '#tests/helpers/open_panel'
import { dialogOf, press } from '#tests/helpers/panel_parts'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
/** As a field has it in the time zone of the tests' browser. */
const asTyped = (moment: Date) =>
  new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'Europe/Prague',
  })
    .format(moment)
    .replace(' ', 'T')

/** An application whose clerk may ship, and someone who is one. */
async function aClerk(client: ApiClient) {
  const application = await anApplication()
  const { code: appCode } = application
  const manage = manageApplication(client, appCode)
  const ship = await manage.permission({ code: 'ship' })
  const role = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(role.id, [{ permissionId: ship.id, accessLevel: 'allowed' }])
  const email = uniqueEmail('clerk')
  await manage.userRoles(email, [role.id])
  const setWindow = (window: object) =>
    superAdmin(client).put(`/api/users/${email}/apps/${appCode}/roles`, {
      roles: [{ roleId: role.id, ...window }],
    })
  const question = { email, app: appCode, permission: 'ship' }
  return { application, appCode, ship, role, email, question, setWindow }
}

test.group('Time windows in the panel', () => {
  test('of a role are set and removed', async ({ client, assert }) => {
    const { appCode, role, email } = await aClerk(client)
    const stored = () => UserRole.findByOrFail({ email, roleId: role.id })
    const page = await openPanel(`/apps/${appCode}/people`)
    const until = asTyped(inDays(3))
    const open = () =>
      page.getByRole('button', { name: `Time window of clerk for ${email}` }).click()
    await open()
    await dialogOf(page).getByLabel('Until').fill(until)
    await press(page, 'Save')
    await page.getByText(/^ends in [23] days$/).waitFor()
    const { validFrom, validUntil } = await stored()
    assert.isNull(validFrom)
    assert.equal(asTyped(validUntil!.toJSDate()), until)

    await page.getByRole('checkbox', { name: 'Ends within 7 days' }).check()
    await page.getByRole('link', { name: email }).waitFor()
    await page.getByRole('checkbox', { name: 'Ends within 7 days' }).uncheck()
    await open()
    await dialogOf(page).getByLabel('Until').fill('')
    await press(page, 'Save')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.isNull((await stored()).validUntil)
    await page.getByRole('checkbox', { name: 'Ends within 7 days' }).check()
    await page.getByText('Nobody matches.').waitFor()
  })

  test('of a role must end after they begin', async ({ client, assert }) => {
    const { appCode, role, email } = await aClerk(client)
    const page = await openPanel(`/people/${inPath(email)}/access?app=${appCode}`)
    await page.getByRole('button', { name: 'Time window of clerk' }).click()
    expectProblem(page, /status of 400/)
    await dialogOf(page).getByLabel('From').fill('2030-02-01T00:00')
    await dialogOf(page).getByLabel('Until').fill('2030-01-01T00:00')
    await press(page, 'Save')
    await dialogOf(page).getByText('The end must be after the beginning.').waitFor()
    assert.isNull((await UserRole.findByOrFail({ email, roleId: role.id })).validFrom)
    await dialogOf(page).getByLabel('Until').fill('2030-03-01T00:00')
    await press(page, 'Save')
    await page.getByText(/^from Feb 1, 2030/).waitFor()
  })

  test("of a role never replace someone else's", async ({ client, assert }) => {
    const { appCode, role, email, setWindow } = await aClerk(client)
    const page = await openPanel(`/apps/${appCode}/people`)
    await page.getByRole('button', { name: `Time window of clerk for ${email}` }).click()
    await setWindow({ validUntil: '2031-01-01T00:00:00.000Z' })
    await dialogOf(page).getByLabel('Until').fill('2030-01-01T00:00')
    await press(page, 'Save')
    await dialogOf(page).getByText('Someone else has changed this').waitFor()
    const stored = await UserRole.findByOrFail({ email, roleId: role.id })
    assert.equal(stored.validUntil!.toJSDate().toISOString(), '2031-01-01T00:00:00.000Z')
    await dialogOf(page).getByRole('button', { name: 'Take theirs' }).click()
    assert.equal(await dialogOf(page).getByLabel('Until').inputValue(), '2031-01-01T01:00')
  })

  test('of a new role can be given with it', async ({ client, assert }) => {
    const { appCode, role } = await aClerk(client)
    const email = uniqueEmail('later')
    const page = await openPanel(`/apps/${appCode}/roles/${role.id}?assign=1`)
    await dialogOf(page).getByRole('combobox', { name: 'Person' }).fill(email)
    await page.keyboard.press('Escape')
    await dialogOf(page).getByLabel('From').fill('2030-01-01T09:30')
    await press(page, 'Assign')
    await dialogOf(page).waitFor({ state: 'hidden' })
    const stored = await UserRole.findByOrFail({ email, roleId: role.id })
    assert.equal(stored.validFrom!.toJSDate().toISOString(), '2030-01-01T08:30:00.000Z')
    assert.isNull(stored.validUntil)
  })

  test('of an override are set, corrected at their place, and removed', async ({
    client,
    assert,
  }) => {
    const { appCode, ship, email, question } = await aClerk(client)
    const resource = { resourceType: 'doc', resourceId: '7' }
    await superAdmin(client).put(overridesPath(email, appCode, 'doc', '7'), {
      permissions: [{ permissionId: ship.id, granted: false }],
    })
    const where = new URLSearchParams({ email, ...resource, edit: '1' })
    const page = await openPanel(`/apps/${appCode}/overrides?${where}`)
    const time = dialogOf(page).getByRole('group', { name: 'Time window of ship' })
    await dialogOf(page).getByRole('button', { name: 'Add a time window to ship' }).click()
    await time.getByLabel('From').fill(asTyped(inDays(2)))
    await time.getByLabel('Until').fill(asTyped(inDays(1)))
    expectProblem(page, /status of 400/)
    await press(page, 'Save')
    await time.getByText('The end must be after the beginning.').waitFor()
    assert.isFalse(await allowed(client, { ...question, ...resource }))
    await time.getByLabel('Until').fill(asTyped(inDays(3)))
    await press(page, 'Save')
    await page.getByText(/^from /).waitFor()
    assert.isTrue(await allowed(client, { ...question, ...resource }))

    await page.getByRole('link', { name: 'Edit' }).click()
    await time.getByLabel('From').fill('')
    await press(page, 'Save')
    await page.getByText(/^ends in [23] days$/).waitFor()
    assert.isFalse(await allowed(client, { ...question, ...resource }))
  })

  test('of an administrator are set', async ({ client, assert }) => {
    const { application, appCode } = await aClerk(client)
    const email = await anAdministratorOf(application)
    const page = await openPanel(`/apps/${appCode}/administrators`)
    await page.getByRole('button', { name: `Time window of ${email}` }).click()
    await dialogOf(page).getByLabel('Until').fill('2030-01-01T00:00')
    await press(page, 'Save')
    await page.getByText(/^until Jan 1, 2030/).waitFor()
    const stored = await ApplicationAdmin.findByOrFail({ email })
    assert.equal(stored.validUntil!.toJSDate().toISOString(), '2029-12-31T23:00:00.000Z')
  })
})
