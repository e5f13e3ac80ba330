import { test } from '@japa/runner'
import { manageApplication } from '#tests/helpers/management'
import { newBrowser, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { cellOf, dialogOf, press, type } from '#tests/helpers/panel_parts'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'

const MOST_CLICKS = 12

/** Counts the clicks of a tab, those on options and menus too, but not the Enter key. */
const COUNT = `addEventListener('click', ({ isTrusted, detail }) => {
  if (!isTrusted || detail === 0) return
  sessionStorage.setItem('clicks', Number(sessionStorage.getItem('clicks')) + 1)
}, { capture: true })`

test.group('A new administrator', () => {
  test(`creates a role, gives it and sees it work in ${MOST_CLICKS} clicks`, async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const { code: appCode } = application
    const permission = await manageApplication(client, appCode).permission({ code: 'sign' })
    const email = uniqueEmail('first')
    const context = await newBrowser({ as: await anAdministratorOf(application), isNew: true })
    await context.addInitScript(COUNT)
    const page = await context.newPage()
    await page.goto('/panel')
    await whenLoaded(page)

    await page.getByRole('link', { name: 'Create a role' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill('clerk')
    await press(page, 'Create')
    await whenShown(page, 'clerk')

    await page.getByRole('link', { name: 'Change in the matrix' }).click()
    await page.getByRole('grid').waitFor()
    await (await cellOf(page, permission.code, 'clerk')).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await press(page, 'Apply')
    await dialogOf(page).waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'People', exact: true }).first().click()
    await whenLoaded(page)
    await page.getByRole('button', { name: 'Assign' }).first().click()
    await type(page, 'Person', email)
    await type(page, 'Role', 'clerk')
    await page.keyboard.press('Escape')
    await press(page, 'Assign')
    await dialogOf(page).waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'Why?', exact: true }).click()
    await whenShown(page, 'Why?')
    await page.getByRole('combobox', { name: 'Person' }).fill(email)
    await page.getByRole('combobox', { name: 'Permission' }).fill(permission.code)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('heading', { name: 'Yes: a role gives' }).waitFor()

    const clicks = await page.evaluate<number>(`Number(sessionStorage.getItem('clicks'))`)
    assert.isAbove(clicks, 5)
    assert.isAtMost(clicks, MOST_CLICKS)
  })
})
