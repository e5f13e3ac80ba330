import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { renderSettingsReference } from '#development/settings_reference'
import { projectFiles, readProjectFile } from '#tests/helpers/documents'
import { projectPath } from '#core/process/root'

const readPage = (page: string) => readFile(join(projectPath(), 'docs/reference', page), 'utf8')

test('The configuration reference is up to date', async ({ assert }) => {
  const written = await readPage('configuration.md')
  const wanted = await renderSettingsReference(projectPath())
  assert.equal(written, wanted, 'run: npm run ace -- settings:reference')
})

test('The behaviour of every setting is described', async ({ assert }) => {
  const [reference] = (await readPage('configuration.md')).split('## Read by others')
  const described = await readPage('behaviour/configuration.md')
  const settings = [...reference.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  assert.isAbove(settings.length, 50)
  const missing = settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(described))
  assert.deepEqual(missing, [])
})

test('Every source of background work is described', async ({ assert }) => {
  const described = await readPage('behaviour/platform.md')
  const names = projectFiles()
    .filter((file) => /^app\/.*\.ts$/.test(file))
    .map(readProjectFile)
    .filter((code) => code.includes('implements WorkSource'))
    .map((code) => /readonly name = '(.+)'/.exec(code)![1])
  assert.isAbove(names.length, 10)
  assert.deepEqual(
    names.filter((name) => !described.includes(`| \`${name}\` |`)),
    []
  )
})
