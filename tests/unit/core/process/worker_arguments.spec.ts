import { test } from '@japa/runner'
import { workerArguments } from '#core/process/worker_arguments'

const LIMIT = '--max-semi-space-size=16'

test.group('Arguments of workers', () => {
  test('are those of the parent, with a limit for short-lived objects', ({ assert }) => {
    assert.deepEqual(workerArguments(['--no-warnings']), ['--no-warnings', LIMIT])
    assert.deepEqual(workerArguments([], '--max-old-space-size=512'), [LIMIT])
  })

  test('have no other limit than the one that the operator has set', ({ assert }) => {
    const given = ['--max_semi_space_size=32']
    assert.deepEqual(workerArguments(given), given)
    assert.deepEqual(workerArguments([], '--no-warnings --max-semi-space-size=64'), [])
  })
})
