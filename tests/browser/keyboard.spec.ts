import { test } from '@japa/runner'
import type { Locator, Page } from 'playwright-core'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { manageApplication } from '#tests/helpers/management'
import { newBrowser, whenLoaded, whenShown } from '#tests/helpers/open_panel'
import { type PanelWorld, startPanelWorld } from '#tests/helpers/panel_world'
import { cellOf, dialogOf, isFocused } from '#tests/helpers/panel_parts'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

const [ada] = DEVELOPMENT_ACCOUNTS
/** How many stops a page may have before what someone looks for. */
const MOST_STOPS = 60

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator) {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await isFocused(element)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${element}`)
}

/** Goes somewhere by the palette: the first thing that it finds. */
async function goTo(page: Page, text: string, heading: string) {
  await page.keyboard.press('Control+k')
  await dialogOf(page).getByRole('option').first().waitFor()
  await page.keyboard.type(text)
  await dialogOf(page).getByRole('option', { name: text, exact: true }).first().waitFor()
  await page.getByRole('option', { name: text }).and(page.locator('[data-highlighted]')).waitFor()
  await page.keyboard.press('Enter')
  await whenShown(page, heading)
}

test.group('The panel with the keyboard alone', (group) => {
  let world: PanelWorld

  group.setup(async () => {
    world = await startPanelWorld({ SUPER_ADMINS: `${SUPER_ADMIN},${ada.email}` })
    return () => world.end()
  })

  test('from signing in to a right that works', async ({ client, assert }) => {
    const { code: appCode } = await anApplication()
    const manage = manageApplication(client, appCode)
    await manage.role({ code: 'auditor' })
    const role = await manage.role({ code: 'clerk' })
    const email = uniqueEmail('keyboard')
    await manage.userRoles(email, [role.id])

    const origins = [world.url, world.provider.issuer]
    const page = await (await newBrowser({ as: null, origins })).newPage()
    await page.goto('/panel')
    await tabTo(page, page.getByRole('button', { name: ada.displayName }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world.url}/panel**`)
    await whenLoaded(page)

    await goTo(page, appCode, appCode)
    await goTo(page, 'Permissions', 'Permissions')
    await tabTo(page, page.getByRole('button', { name: 'New permission' }).first())
    await page.keyboard.press('Enter')
    await dialogOf(page).getByRole('textbox', { name: 'Code' }).waitFor()
    await page.keyboard.type('sign')
    await page.keyboard.press('Enter')
    await whenShown(page, 'sign')

    await goTo(page, 'Matrix', 'Matrix')
    await tabTo(page, page.locator('[role=grid] [tabindex="0"]'))
    await page.keyboard.press('ArrowRight')
    assert.isTrue(await isFocused(await cellOf(page, 'sign', 'clerk')))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Review' }))
    await page.keyboard.press('Enter')
    await tabTo(page, dialogOf(page).getByRole('button', { name: 'Apply' }))
    await page.keyboard.press('Enter')
    await dialogOf(page).waitFor({ state: 'hidden' })

    await goTo(page, 'Why?', 'Why?')
    await tabTo(page, page.getByRole('combobox', { name: 'Person' }))
    await page.keyboard.type(email)
    await tabTo(page, page.getByRole('combobox', { name: 'Permission' }))
    await page.keyboard.type('sign')
    await tabTo(page, page.getByRole('button', { name: 'Ask' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Yes: a role gives' }).waitFor()
  })
})
