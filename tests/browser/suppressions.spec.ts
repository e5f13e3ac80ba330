import { test } from '@japa/runner'
import Suppression from '#app/suppressions/models/suppression'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { aFailedMessage, someBounces } from '#tests/helpers/panel_messages'
import { confirm, dialogOf, press } from '#tests/helpers/panel_parts'
import { anOldApplication, uniqueEmail } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

test.group('Suppressions in the panel', () => {
  test('are added, and refused for an address that has one', async ({ assert }) => {
    const email = uniqueEmail('suppressed')
    const page = await openPanel('/suppressions?new=1')
    await dialogOf(page).getByRole('textbox', { name: 'Address' }).fill(email)
    await dialogOf(page).getByRole('textbox', { name: 'Note' }).fill('Asked by phone')
    await press(page, 'Add')
    await page.getByRole('row').filter({ hasText: email }).getByText('Asked by phone').waitFor()
    const { reason } = await Suppression.findByOrFail({ email })
    assert.equal(reason, 'manual')
    expectProblem(page, /status of 409/)
    await page.getByRole('button', { name: 'Add an address' }).click()
    await dialogOf(page).getByRole('textbox', { name: 'Address' }).fill(email)
    await press(page, 'Add')
    await dialogOf(page).locator('[aria-invalid=true]').waitFor()
  })

  test('are removed, and lead from the bounce to the message', async ({ assert }) => {
    const { code: appCode } = await anOldApplication()
    const email = uniqueEmail('bounced')
    const said = { appCode, email, subject: 'Your order', text: 'It is on its way' }
    const { id } = await aFailedMessage(said)
    await someBounces(email, id, '550 5.1.1 No such user')
    const page = await openPanel('/suppressions')
    await page.getByRole('searchbox').fill(email)
    await page.getByText('1 entry').waitFor()
    await page.getByRole('link', { name: `Message ${id}` }).click()
    await whenShown(page, 'Bounces')
    await page
      .getByRole('link', { name: `Message ${id}` })
      .first()
      .click()
    await whenShown(page, 'Your order')
    await page.goBack()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove' }).click()
    await confirm(page, 'Remove')
    await page.getByText('No suppressed address matches.').waitFor()
    assert.isNull(await Suppression.findBy({ email }))
  })
})
