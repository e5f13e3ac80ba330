import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { SECURITY_EVENT_TYPES } from '#core/security_events'
import { projectPath } from '#core/process/root'

test('The reference lists every type of security event, in order', async ({ assert }) => {
  const page = await readFile(
    join(projectPath(), 'docs/reference/behaviour/authentication.md'),
    'utf8'
  )
  const [, types] = page.split('### Security event types')
  const listed = [...types.matchAll(/^\| `(\w+)` \|/gm)].map(([, type]) => type)

  assert.deepEqual(listed, [...SECURITY_EVENT_TYPES])
  assert.deepEqual(listed, listed.toSorted())
})
