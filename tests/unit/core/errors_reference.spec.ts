import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { renderErrorsReference } from '#core/exceptions/render_errors_reference'
import { projectPath } from '#core/process/root'

test('The error reference lists every problem the code declares', async ({ assert }) => {
  const written = await readFile(join(projectPath(), 'docs/reference/errors.md'), 'utf8')

  assert.equal(written, await renderErrorsReference(), 'run: npm run ace -- errors:reference')
})
