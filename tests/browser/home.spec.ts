import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import type Application from '#app/applications/models/application'
import { createPermission } from '#app/permissions/actions/create_permission'
import { manageApplication } from '#tests/helpers/management'
import { openPanel } from '#tests/helpers/open_panel'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'

const PER_DAY = 'Checks per day'

/** On the first of the 30 days that are shown. */
function addChecks({ id }: Application, count: number) {
  const day = DateTime.utc().minus({ days: 29 }).toISODate()
  return db.table('check_counts').insert({ application_id: id, day, count })
}

test.group('Home in the panel', () => {
  test('says what needs attention and links to where it is resolved', async ({ assert }) => {
    const application = await anApplication()
    const { code } = application
    await createPermission(code, { code: 'orders', type: 'binary' })
    const page = await openPanel('/', { as: await anAdministratorOf(application) })
    await page.getByRole('link', { name: `${code} has 1 permission that no role gives` }).click()
    await page.getByRole('heading', { level: 1, name: 'Permissions' }).waitFor()
    await page.getByRole('link', { name: 'orders' }).waitFor()
    assert.include(page.url(), `/apps/${code}/permissions`)
  })

  test('says so if nothing needs attention', async () => {
    const page = await openPanel('/', { as: await anAdministratorOf(await anApplication()) })
    await page.getByText('Nothing needs attention.').waitFor()
  })

  test('shows what happened per day, in the applications that one can see', async ({ assert }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    await addChecks(application, 1_234)
    await addChecks(other, 100_000)
    const as = await anAdministratorOf(application)
    for (const path of ['/', `/apps/${application.code}`]) {
      const page = await openPanel(path, { as })
      await page.getByText('1,234checks').waitFor()
      const rows = page.getByRole('table', { name: PER_DAY }).getByRole('row')
      assert.equal(await rows.count(), 31)
      assert.match(await rows.nth(1).innerText(), /1,234/)
    }
  })

  test('leads through the first steps, and hides them on request', async ({ assert }) => {
    const application = await anApplication()
    const { code } = application
    const as = await anAdministratorOf(application)
    const page = await openPanel('/', { as })
    await page.getByRole('link', { name: 'Create a permission' }).click()
    await page.getByRole('dialog').waitFor()
    assert.include(page.url(), `/apps/${code}/permissions?new=1`)
    await page.goto('/panel')
    await page.getByRole('button', { name: 'Hide' }).click()
    const steps = page.getByRole('heading', { name: 'First steps' })
    await steps.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByText('Nothing needs attention.').waitFor()
    assert.isFalse(await steps.isVisible())
  })

  test('shows the command of the step that a program does', async ({ client }) => {
    const application = await anApplication()
    const { code } = application
    const as = await anAdministratorOf(application)
    const manage = manageApplication(client, code)
    await manage.permission({ code: 'orders' })
    const clerk = await manage.role({ code: 'clerk' })
    await manage.userRoles(uniqueEmail(), [clerk.id])
    const page = await openPanel('/', { as })
    await page.getByText(`concierge check ${as} ${code} orders`, { exact: true }).waitFor()
    await page
      .getByText(`Sign in first with concierge login --url ${process.env.APP_URL}`)
      .waitFor()
  })
})
