import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'

test('anyone can read the API description', async ({ assert, client }) => {
  const response = await client.get('/api/openapi.json')

  response.assertStatus(200)
  assert.equal(response.type(), 'application/json')
  const written = await readFile(join(projectPath(), 'docs/reference/openapi.json'), 'utf8')
  assert.deepEqual(response.body(), JSON.parse(written))
})
