import { test } from '@japa/runner'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import { openPanel } from '#tests/helpers/open_panel'
import { confirm, dialogOf, press, type } from '#tests/helpers/panel_parts'
import { aSuperAdmin, anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'
import { SUPER_ADMIN } from '#tests/world/prepare'

test.group('Administrators in the panel', () => {
  test('of an application are added and removed', async ({ assert }) => {
    const application = await anApplication()
    const email = uniqueEmail('helper')
    const page = await openPanel(`/apps/${application.code}/administrators`, {
      as: await anAdministratorOf(application),
    })
    await page.getByRole('button', { name: 'Add' }).first().click()
    await type(page, 'Person', email)
    await page.keyboard.press('Escape')
    await press(page, 'Add')
    await page.getByRole('button', { name: `Remove ${email}` }).click()
    assert.isNotNull(await ApplicationAdmin.findBy({ email }))
    await confirm(page, 'Remove')
    await page.getByRole('link', { name: email }).waitFor({ state: 'hidden' })
    assert.isNull(await ApplicationAdmin.findBy({ email }))
  })

  test('of the platform are added and removed by others', async ({ assert, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const page = await openPanel('/administrators')
    await page.getByRole('searchbox').fill(email)
    await page.getByRole('button', { name: `Remove ${email}` }).click()
    await confirm(page, 'Remove')
    await page.getByText(`${email} was removed`).first().waitFor()
    assert.isNull(await SuperAdmin.findBy({ email }))
  })

  test('of the platform cannot lock themselves out', async ({ assert }) => {
    const page = await openPanel('/administrators')
    await page.getByRole('searchbox').fill(SUPER_ADMIN)
    expectProblem(page, /status of 409/)
    await page.getByRole('button', { name: `Remove ${SUPER_ADMIN}` }).click()
    await dialogOf(page)
      .getByText(/last active super admin|take this right from yourself/)
      .waitFor()
    await press(page, 'Close')
    assert.isNotNull(await SuperAdmin.findBy({ email: SUPER_ADMIN }))
  })
})
