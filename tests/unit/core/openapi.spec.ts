import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { describeDifference } from '#development/openapi/difference'
import { generateOpenApi, printOpenApi } from '#development/openapi/generate'
import { projectPath } from '#core/process/root'

test.group('The API description', () => {
  test('matches the routes and their source', async ({ assert }) => {
    const written = await readFile(join(projectPath(), 'docs/reference/openapi.json'), 'utf8')
    const wanted = printOpenApi(await generateOpenApi())

    const differences = describeDifference(written, wanted).join('\n')
    assert.equal(differences, '', 'run: npm run ace -- openapi:generate')
    assert.isTrue(written === wanted, 'run: npm run ace -- openapi:generate')
  }).timeout(60_000)

  test('reports where two descriptions differ', ({ assert }) => {
    const before = JSON.stringify({ a: { b: 1, gone: 2 }, list: [1] })
    const after = JSON.stringify({ a: { b: 2, new: 3 }, list: [1] })

    assert.deepEqual(describeDifference(before, after), [
      'changed a › b: 1 → 2',
      'removed a › gone',
      'added a › new',
    ])
    assert.deepEqual(describeDifference('', '{"a":1}'), ['added a'])
  })
})
