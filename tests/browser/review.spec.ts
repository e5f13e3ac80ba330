import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'
import { parse } from 'csv-parse/sync'
import User from '#app/profiles/models/user'
import { reviewOf } from '#tests/helpers/access_review'
import { manageApplication } from '#tests/helpers/management'
import { openPanel, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { confirm, confirmationOf } from '#tests/helpers/panel_parts'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { SUPER_ADMIN } from '#tests/world/prepare'

/** A clerk who is deactivated, and a guest with an override whose resource looks like a formula. */
async function anApplicationToReview(client: ApiClient) {
  const application = await anApplication()
  const { code: appCode } = application
  const manage = manageApplication(client, appCode)
  const sign = await manage.permission({ code: 'sign', type: 'tiered' })
  const clerk = await manage.role({ code: 'clerk' })
  await manage.rolePermissions(clerk.id, [{ permissionId: sign.id, accessLevel: 'edit' }])
  const [ada, grace] = ['ada', 'grace'].map(uniqueEmail) as [string, string]
  await manage.userRoles(ada, [clerk.id])
  await User.create({ email: ada, active: false, theme: 'system' })
  await manage.overrides(
    grace,
    ['order', '=1+1'],
    [{ permissionId: sign.id, granted: true, accessLevel: 'view' }]
  )
  return { application, appCode, ada, grace, clerk }
}

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

test.group('The access review in the panel', () => {
  test('shows who has what, through what, and what is worth a look', async ({ client }) => {
    const { appCode, ada, grace } = await anApplicationToReview(client)
    const page = await openPanel(`/apps/${appCode}`)
    await page.getByRole('navigation').getByRole('link', { name: 'Access review' }).click()
    await whenShown(page, 'Access review')
    const clerk = rowOf(page, ada)
    const never = 'Never signed in here'
    for (const text of ['sign', 'Edit', 'clerk', 'Deactivated', never]) {
      await clerk.getByText(text, { exact: true }).waitFor()
    }
    await clerk.getByText(`by ${SUPER_ADMIN}`).waitFor()
    await rowOf(page, grace).getByText('on order =1+1').waitFor()
    await rowOf(page, SUPER_ADMIN).getByText('Everything').waitFor()
    await rowOf(page, grace).getByRole('link', { name: 'Why?' }).click()
    await whenShown(page, 'Why?')
    await page.getByRole('heading', { name: 'Yes: an override on order =1+1' }).waitFor()
  })

  test('does not say that users of the panel never signed in', async ({ client, assert }) => {
    const email = await panelPerson(client, {}, { globally: 'view' })
    const page = await openPanel(`/apps/auth/review?email=${encodeURIComponent(email)}`)
    await rowOf(page, email).first().waitFor()
    assert.equal(await page.getByText('Never signed in').count(), 0)
  })

  test('is narrowed by filters that are in the address', async ({ client, assert }) => {
    const { appCode, ada, grace } = await anApplicationToReview(client)
    const page = await openPanel(`/apps/${appCode}/review`)
    await page.getByRole('combobox', { name: 'Worth a look' }).selectOption('Deactivated account')
    await rowOf(page, grace).waitFor({ state: 'detached' })
    await rowOf(page, ada).waitFor()
    assert.include(page.url(), 'mark=inactive')
    await page.reload()
    await rowOf(page, ada).waitFor()
    await rowOf(page, grace).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Clear' }).click()
    await rowOf(page, grace).waitFor()
    await page.getByRole('combobox', { name: 'Through' }).selectOption('Overrides')
    await rowOf(page, ada).waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Through' }).selectOption('Administrators')
    await page.getByText('No right matches.').waitFor()
  })

  test('revokes roles and overrides', async ({ client, assert }) => {
    const { application, appCode, ada, grace } = await anApplicationToReview(client)
    const page = await openPanel(`/apps/${appCode}/review`)
    await rowOf(page, ada)
      .getByRole('button', { name: `Revoke clerk of ${ada}` })
      .click()
    await confirm(page, 'Remove')
    await rowOf(page, ada).waitFor({ state: 'detached' })
    await rowOf(page, grace)
      .getByRole('button', { name: `Revoke sign of ${grace}` })
      .click()
    await page.getByText('Roles still apply.').waitFor()
    await confirm(page, 'Remove')
    await rowOf(page, grace).waitFor({ state: 'detached' })
    const left = await reviewOf(superAdmin(client), application)
    assert.isTrue(left.every(({ source }) => source === 'superadmin'))
  })

  test('asks about no administrator when the role is gone', async ({ client, assert }) => {
    const { appCode, ada } = await anApplicationToReview(client)
    const page = await openPanel(`/apps/${appCode}/review`, { isNew: true })
    await rowOf(page, ada)
      .getByRole('button', { name: `Revoke clerk of ${ada}` })
      .click()
    await confirmationOf(page).waitFor()
    const removals: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'DELETE') removals.push(request.url())
    })
    await page.route(/\/roles$/, (route) => route.fulfill({ json: { success: true, data: [] } }))
    const roles = page.waitForResponse(/\/roles$/)
    // Later, someone comes back to the window.
    await page.clock.setFixedTime(Date.now() + 30_000)
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
    await roles
    await confirmationOf(page).waitFor({ state: 'hidden' })
    await whenLoaded(page)
    assert.deepEqual(removals, [])
  })

  test('exports what matches as CSV without formulas', async ({ client, assert }) => {
    const { appCode, grace } = await anApplicationToReview(client)
    const page = await openPanel(`/apps/${appCode}/review?source=override`)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    assert.deepEqual(
      rows.map(({ email, resourceId }) => [email, resourceId]),
      [[grace, `'=1+1`]]
    )
    assert.equal(file.suggestedFilename(), `access-${appCode}.csv`)
  })

  test('offers no change to those who may only see it, and says what went wrong', async ({
    client,
    assert,
  }) => {
    const { appCode, ada } = await anApplicationToReview(client)
    const as = await panelPerson(client, { [appCode]: 'view' })
    const page = await openPanel(`/apps/${appCode}/review`, { as })
    await rowOf(page, ada).waitFor()
    assert.equal(await page.getByRole('button', { name: /Revoke/ }).count(), 0)
    expectProblem(page, /status of 500/)
    await page.route(/access-review/, (route) => route.fulfill({ status: 500 }))
    await page.reload()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await page.unroute(/access-review/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await whenLoaded(page)
    await rowOf(page, ada).waitFor()
  })
})
