import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { panelPerson } from '#tests/helpers/panel_people'
import { dialogOf, press } from '#tests/helpers/panel_parts'
import { anApplication, superAdmin, uniqueCode } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

/** Answers the requests for these paths with a problem until it is called. */
async function answerWith(page: Page, path: RegExp, status: number, code: string) {
  expectProblem(page, new RegExp(`status of ${status}`))
  await page.route(path, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status, code, detail: `It is ${code}`, requestId: 'request-1' }),
    })
  )
  return () => page.unroute(path)
}

/** Whether a request of the page reaches the service. */
const reachesService = (page: Page) =>
  page.evaluate<boolean>(
    `fetch('/panel/theme.js', { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false)`
  )

/** Chromium tells the page, and stops its requests, a moment after it was asked to. */
async function goOffline(page: Page) {
  await page.context().setOffline(true)
  await eventually('requests fail', async () => !(await reachesService(page)))
}

async function goOnline(page: Page) {
  await page.context().setOffline(false)
  await eventually('requests reach the service', () => reachesService(page))
}

test.group('Problems in the panel', () => {
  test('no access: says which level is missing', async ({ client }) => {
    const [visible, hidden] = [await anApplication(), await anApplication()]
    const as = await panelPerson(client, { [visible.code]: 'view' })
    const page = await openPanel(`/apps/${visible.code}`, { as })
    expectProblem(page, /status of 403/)
    await page.goto(`/panel/apps/${hidden.code}/roles`)
    await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
    await page.getByRole('link', { name: 'Go home' }).click()
    await whenLoaded(page)
  })

  test('not found: names it, and leads home', async () => {
    const { code } = await anApplication()
    const page = await openPanel(`/apps/${code}/roles`)
    expectProblem(page, /status of 404/)
    await page.goto(`/panel/apps/${code}/roles/999999999`)
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor()
    await page.getByRole('link', { name: 'Go home' }).waitFor()
  })

  for (const [status, code] of [
    [429, 'RATE_LIMITED'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const) {
    test(`${status}: says that it is busy, and tries again`, async () => {
      const { code: appCode } = await anApplication()
      const page = await openPanel(`/apps/${appCode}`)
      const recover = await answerWith(page, /\/roles\?/, status, code)
      await page.getByRole('link', { name: 'Roles' }).first().click()
      await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
      await recover()
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('There is no role yet').waitFor()
    })
  }

  test('offline: says so, keeps what was typed, and continues', async () => {
    const { code: appCode } = await anApplication()
    const page = await openPanel(`/apps/${appCode}/roles?new=1`)
    expectProblem(page, /ERR_INTERNET_DISCONNECTED/)
    await dialogOf(page).getByRole('textbox', { name: 'Code' }).fill('clerk')
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Clerk')
    await goOffline(page)
    const attempt = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
    await press(page, 'Create')
    await dialogOf(page).getByRole('alert').filter({ hasText: 'You are offline' }).waitFor()
    await attempt
    await goOnline(page)
    await press(page, 'Create')
    await whenShown(page, 'Clerk')
  })

  test('offline: a screen that is not loaded yet leaves the old one', async ({ assert }) => {
    const { code: appCode } = await anApplication()
    const page = await openPanel(`/apps/${appCode}/roles`, { isNew: true })
    expectProblem(page, /ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically/)
    await goOffline(page)
    await page.getByRole('link', { name: 'Matrix', exact: true }).click()
    await page.getByText('You are offline').first().waitFor()
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Roles')
    await goOnline(page)
    await page.getByRole('link', { name: 'Matrix', exact: true }).click()
    await whenShown(page, 'Matrix')
  })

  test('offline: a form that is not loaded yet opens after another try', async () => {
    const { code: appCode } = await anApplication()
    const page = await openPanel(`/apps/${appCode}/roles`, { isNew: true })
    expectProblem(page, /ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically/)
    await goOffline(page)
    await page.getByRole('button', { name: 'New role' }).first().click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await goOnline(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Code' }).waitFor()
  })

  test('a code that is taken is said at its field', async ({ client, assert }) => {
    const { code: appCode } = await anApplication()
    await manageApplication(client, appCode).role({ code: 'clerk' })
    const page = await openPanel(`/apps/${appCode}/roles?new=1`)
    const field = dialogOf(page).getByRole('textbox', { name: 'Code' })
    await field.fill('clerk')
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Clerk')
    expectProblem(page, /status of 409/)
    await press(page, 'Create')
    await page.locator('input[name=code][aria-invalid=true]').waitFor()
    await field.fill('seller')
    await press(page, 'Create')
    await whenShown(page, 'Clerk')
    assert.match(page.url(), /\/roles\/\d+$/)
  })

  test('what both have changed is asked about, not overwritten', async ({ client, assert }) => {
    const { code: appCode } = await anApplication()
    const role = await manageApplication(client, appCode).role({ code: uniqueCode('role') })
    const path = `/api/applications/${appCode}/roles/${role.id}`
    const page = await openPanel(`/apps/${appCode}/roles/${role.id}?edit=1`)
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Mine')
    const theirs = { code: role.code, name: 'Theirs', description: 'Described by them' }
    await superAdmin(client).put(path, theirs)
    expectProblem(page, /status of 412/)
    await press(page, 'Save')
    await dialogOf(page).getByText('Now it is Theirs').waitFor()
    const description = dialogOf(page).getByRole('textbox', { name: 'Description' })
    assert.equal(await description.inputValue(), 'Described by them')
    await press(page, 'Take theirs')
    await press(page, 'Save')
    await whenShown(page, 'Theirs')
  })
})
