import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { projectPath } from '#core/process/root'
import User from '#app/profiles/models/user'
import { type Visit, lookAt } from '#tests/helpers/open_panel'
import { ordinaryScene } from '#tests/helpers/panel_scenes'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { SCREENS, pathOf, titleOf } from '#tests/browser/screens'

const FOLDER = join(projectPath(), 'docs/images/panel')
const LOOKS: Record<string, Visit> = {
  light: { theme: 'light' },
  dark: { theme: 'dark' },
}
const PHONE = { width: 390, height: 844 }
/** How many screens are also shown on a phone. */
const ON_PHONE = 3
const QUALITY = 75

/** Such as `apps-appCode-roles`. */
const nameOf = (route: string) => route.match(/\w+/g)?.join('-') ?? 'home'

/** Playwright knows no WebP, which is a third of the size. */
async function takePicture(page: Page, name: string) {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  })
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** Not a test: `npm run panel:screenshots` runs it. */
test.group('Pictures', (group) => {
  group.setup(async () => {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    await User.updateOrCreate({ email: SUPER_ADMIN }, { displayName: 'Ada Lovelace' })
  })

  const screens = SCREENS.filter(({ isStatic }) => !isStatic)
  for (const [index, screen] of screens.entries()) {
    test(`of ${titleOf(screen)}`, async () => {
      const path = pathOf(screen, await ordinaryScene())
      for (const [look, visit] of Object.entries(LOOKS)) {
        await takePicture(await lookAt(path, visit), `${nameOf(screen.route)}-${look}`)
      }
      if (index >= ON_PHONE) return
      await takePicture(await lookAt(path, PHONE), `${nameOf(screen.route)}-phone`)
    })
  }
})
