import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { createRole } from '#app/permissions/actions/create_role'
import { violations } from '#tests/helpers/accessibility'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { panelPerson } from '#tests/helpers/panel_people'
import { dialogOf } from '#tests/helpers/panel_parts'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'

/** Types into the palette and takes what it offers with this name. */
async function choose(page: Page, text: string, option: string) {
  await page.keyboard.press('Control+k')
  await dialogOf(page).getByRole('option').first().waitFor()
  await page.keyboard.type(text)
  await dialogOf(page).getByRole('option', { name: option, exact: true }).click()
}

test.group('The palette of the panel', () => {
  test('opens forms', async () => {
    const { code } = await anApplication()
    const page = await openPanel(`/apps/${code}`)
    await choose(page, 'new role', `New role in ${code}`)
    await dialogOf(page).getByRole('textbox', { name: 'Code' }).waitFor()
    await page.keyboard.press('Escape')
    await choose(page, 'ask', `Ask why in ${code}`)
    await whenShown(page, 'Why?')
  })

  test('distinguishes the people of an application from all people', async ({ assert }) => {
    const { code } = await anApplication()
    const page = await openPanel(`/apps/${code}`)
    await choose(page, 'people', `People in ${code}`)
    await whenShown(page, 'People')
    assert.include(page.url(), `/apps/${code}/people`)
    const ofPlatform = page.getByRole('list', { name: 'Platform' })
    const link = ofPlatform.getByRole('link', { name: 'People', exact: true })
    assert.equal(await link.getAttribute('title'), 'People in all applications')
    await choose(page, 'people', 'People in all applications')
    await link.and(page.locator('[aria-current=page]')).waitFor()
  })

  test('finds what a few applications have, and where, from any page', async ({ assert }) => {
    const application = await anApplication()
    const { code } = application
    const as = await anAdministratorOf(application)
    const role = await createRole(code, { code: 'night-guard', name: 'Night guard' })
    const type = await aType(application)
    const template = await aTemplate(application, type)
    const page = await openPanel('/', { as })
    await page.keyboard.press('Control+k')
    await dialogOf(page).getByRole('option').first().waitFor()
    await page.keyboard.type('night')
    const found = dialogOf(page).getByRole('option', { name: 'Night guard' })
    await found.getByText(`${code} · night-guard`).waitFor()
    assert.deepEqual(await violations(page), [])
    await found.click()
    await page.waitForURL(`**/apps/${code}/roles/${role.id}`)
    await page.keyboard.press('Control+k')
    await dialogOf(page).getByRole('option').first().waitFor()
    await page.keyboard.type(template.key)
    await dialogOf(page)
      .getByRole('group', { name: 'Templates' })
      .getByRole('option')
      .first()
      .click()
    await page.waitForURL(`**/types/${type.code}/templates/${template.id}`)
  })

  test('names nothing to screen readers when it finds nothing', async ({ assert }) => {
    const page = await openPanel('/apps')
    await page.keyboard.press('Control+k')
    await dialogOf(page).getByRole('option').first().waitFor()
    const field = dialogOf(page).locator('input[aria-activedescendant]')
    await field.waitFor()
    await page.keyboard.type('qqqxyz')
    await dialogOf(page).getByText('Nothing matches.').waitFor()
    await field.waitFor({ state: 'detached' })
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('people')
    await field.waitFor()
  })

  test('keeps the selected option when more results arrive', async () => {
    const { code } = await anApplication()
    await createRole(code, { code: 'people-lead' })
    const page = await openPanel(`/apps/${code}`)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/roles\?/, async (route) => {
      await released
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await dialogOf(page).getByRole('option').first().waitFor()
    await page.keyboard.type('people')
    const chosen = (name: string) =>
      dialogOf(page).getByRole('option', { name }).and(page.locator('[data-highlighted]'))
    await chosen(`People in ${code}`).waitFor()
    await page.keyboard.press('ArrowDown')
    await chosen('People in all applications').waitFor()
    release()
    await dialogOf(page).getByRole('option', { name: 'people-lead' }).waitFor()
    await chosen('People in all applications').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/panel/people')
  })

  test('changes the theme and the language', async () => {
    const page = await openPanel('/apps')
    await choose(page, 'theme', 'Theme: Dark')
    await page.locator('html.dark').waitFor()
    await choose(page, 'language', 'Language: Čeština')
    await whenShown(page, 'Aplikace')
  })

  test('offers only what someone may do', async ({ client, assert }) => {
    const { code } = await anApplication()
    const as = await panelPerson(client, { [code]: 'view' })
    const page = await openPanel(`/apps/${code}`, { as })
    await page.keyboard.press('Control+k')
    await dialogOf(page)
      .getByRole('option', { name: `Ask why in ${code}` })
      .waitFor()
    assert.equal(
      await dialogOf(page)
        .getByRole('option', { name: /^(New|Assign)/ })
        .count(),
      0
    )
  })
})
