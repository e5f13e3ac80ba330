import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { renderSettingsReference } from '#development/settings_reference'
import { projectPath } from '#core/process/root'

test('The configuration reference is up to date', async ({ assert }) => {
  const written = await readFile(join(projectPath(), 'docs/reference/configuration.md'), 'utf8')
  const wanted = await renderSettingsReference(projectPath())
  assert.equal(written, wanted, 'run: npm run ace -- settings:reference')
})
