import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { projectPath } from '#core/process/root'
import { violations } from '#tests/helpers/accessibility'
import { type Visit, lookAt, lookAtFailing } from '#tests/helpers/open_panel'
import { emptyScene, ordinaryScene } from '#tests/helpers/panel_scenes'
import { SCREENS, emptyPathOf, pathOf, titleOf } from '#tests/browser/screens'

const SECTIONS = readdirSync(join(projectPath(), 'packages/panel/src/locales/en'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => basename(file, '.json'))
  .join('|')

/**
 * Parts of the page whose text is the key of a text, which is shown if there is none. Codes of the
 * API, such as `user.erased`, can look the same.
 */
const KEYS = `(() => {
  const isKey = /^(?:${SECTIONS})(?:\\.[a-zA-Z]\\w*)+$/
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (!parentElement.closest('code, option')) found.push(data.trim())
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
    found.push(element.ariaLabel ?? '', element.placeholder ?? '', element.title)
  }
  return found.filter((text) => isKey.test(text))
})()`

/** Declares the tests of all screens with one look. */
export function checkAccessibility(look: Required<Pick<Visit, 'theme' | 'language'>>) {
  for (const screen of SCREENS) {
    test.group(`The screen ${titleOf(screen)}, ${look.theme}, ${look.language}`, () => {
      const requireAccessible = async (page: Page) => {
        const keys = await page.evaluate<string[]>(KEYS)
        const language = await page.evaluate<string>('document.documentElement.lang')
        const found = [...keys, ...(await violations(page))]
        if (language !== look.language) found.push(`The language is ${language}`)
        if (found.length > 0) throw new Error(found.join('\n'))
      }

      test('is accessible', async () => {
        await requireAccessible(await lookAt(pathOf(screen, await ordinaryScene()), look))
      })

      if (screen.isStatic) return
      test('says what to do when the service fails, and is accessible', async ({ assert }) => {
        const page = await lookAtFailing(pathOf(screen, await ordinaryScene()), look)
        await requireAccessible(page)
        await page.getByRole('alert').first().waitFor()
        assert.isAbove(await page.getByRole('alert').getByRole('button').count(), 0)
      })

      if (screen.empty === null) return
      test('is accessible with nothing to show', async () => {
        const path = emptyPathOf(screen, await emptyScene())
        await requireAccessible(await lookAt(path, look))
      })
    })
  }
}
