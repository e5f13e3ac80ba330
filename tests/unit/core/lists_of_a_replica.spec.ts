import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'

interface Operation {
  parameters?: { name: string }[]
}

/** Lists whose readers expect to see what they have just done, and know no revision of it. */
const FROM_PRIMARY = ['/api/profile/me/notifications/inbox']

test('every list with pages can come from a replica, or is known to need the primary', ({
  assert,
}) => {
  const file = join(projectPath(), 'docs/reference/openapi.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, { get?: Operation }>
  }
  const accepts = (path: string, parameter: string) =>
    (paths[path].get?.parameters ?? []).some(({ name }) => name === parameter)
  const lists = Object.keys(paths).filter((path) => accepts(path, 'cursor'))
  assert.isAbove(lists.length, FROM_PRIMARY.length)
  const others = lists.filter((path) => !accepts(path, 'concierge-at-least'))
  assert.deepEqual(others, FROM_PRIMARY)
})
