import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { lookAt } from '#tests/helpers/open_panel'
import { ordinaryScene } from '#tests/helpers/panel_scenes'
import { SCREENS, pathOf, titleOf } from '#tests/browser/screens'

/** In kB, compressed with gzip. */
const START = 140
const FURTHER = 60
const STYLES = 20

/** Names of the files that a page has loaded, such as `assets/index-DJZkKbF9.js`. */
async function filesOf(path: string): Promise<string[]> {
  const page = await lookAt(path)
  const urls = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name)`
  )
  return urls
    .map((url) => new URL(url).pathname.replace(/^\/panel\//, ''))
    .filter((name) => /\.(?:js|css)$/.test(name))
}

function kilobytes(files: string[]) {
  const folder = join(projectPath(), 'packages/panel/dist')
  const sizes = files.map((name) => readFileSync(join(folder, `${name}.gz`)).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000
}

let startFiles: Promise<string[]> | undefined

const scripts = (files: string[]) => files.filter((name) => name.endsWith('.js'))
const styles = (files: string[]) => files.filter((name) => name.endsWith('.css'))

test.group('What the panel loads', () => {
  test(`is at most ${START} kB of scripts for the start page`, async ({ assert }) => {
    const files = await (startFiles ??= filesOf('/'))
    assert.isAbove(kilobytes(scripts(files)), 10)
    assert.isAtMost(kilobytes(scripts(files)), START)
    assert.isAtMost(kilobytes(styles(files)), STYLES)
  })

  for (const screen of SCREENS) {
    const most = screen.kilobytes ?? FURTHER
    test(`is at most ${most} kB more for the screen ${titleOf(screen)}`, async ({ assert }) => {
      const start = await (startFiles ??= filesOf('/'))
      const files = await filesOf(pathOf(screen, await ordinaryScene()))
      assert.isAbove(kilobytes(scripts(files)), 10)
      assert.isAtMost(kilobytes(scripts(files).filter((name) => !start.includes(name))), most)
    })
  }
})
