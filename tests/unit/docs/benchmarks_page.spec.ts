import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { renderPage } from '../../../benchmarks/report/page.ts'

test('The page of the benchmarks has their latest results', async ({ assert }) => {
  const written = await readFile(join(projectPath(), 'docs/reference/benchmarks.md'), 'utf8')
  assert.equal(written, renderPage(), 'run: npm run benchmark -- --page')
})
