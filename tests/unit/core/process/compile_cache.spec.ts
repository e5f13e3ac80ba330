import { join } from 'node:path'
import { test } from '@japa/runner'
import { compileCacheSettings } from '#core/process/compile_cache'
import { projectPath } from '#core/process/root'

test.group('The compile cache of a build', () => {
  test('is inside the build', ({ assert }) => {
    const expected = { NODE_COMPILE_CACHE: join(projectPath(), 'compile_cache') }
    assert.deepEqual(compileCacheSettings({}, 'main.js'), expected)
  })

  test('is where the operator has put it', ({ assert }) => {
    assert.deepEqual(compileCacheSettings({ NODE_COMPILE_CACHE: '/var/cache' }, 'main.js'), {})
    assert.deepEqual(compileCacheSettings({ NODE_COMPILE_CACHE: '' }, 'main.js'), {})
  })

  test('is not used without a build', ({ assert }) => {
    assert.deepEqual(compileCacheSettings({}, 'main.ts'), {})
  })
})
