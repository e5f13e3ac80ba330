import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import User from '#app/profiles/models/user'
import { type Visit, lookAt } from '#tests/helpers/open_panel'
import { ordinaryScene } from '#tests/helpers/panel_scenes'
import { takePicture } from '#tests/helpers/pictures'
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

/** Such as `apps-appCode-roles`. */
const nameOf = (route: string) => route.match(/\w+/g)?.join('-') ?? 'home'

const fileOf = (name: string) => join(FOLDER, `${name}.webp`)

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
        await takePicture(await lookAt(path, visit), fileOf(`${nameOf(screen.route)}-${look}`))
      }
      if (index >= ON_PHONE) return
      await takePicture(await lookAt(path, PHONE), fileOf(`${nameOf(screen.route)}-phone`))
    })
  }
})
