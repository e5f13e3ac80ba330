import { test } from '@japa/runner'
import { retryWhileUnavailable } from '#core/database/retry_while_unavailable'
import { Deadline } from '#core/values/deadline'

const away = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

/** Fails this many times, then succeeds. */
function failing(times: number, error: Error = away()) {
  let tries = 0
  const write = async () => {
    if (++tries <= times) throw error
    return tries
  }
  return { write, tries: () => tries }
}

test.group('A write that nobody would repeat', () => {
  test('is retried while the database is unavailable', async ({ assert }) => {
    assert.equal(await retryWhileUnavailable(failing(2).write), 3)
  })

  test('fails with the last error at its deadline', async ({ assert }) => {
    const error = away()
    const { write, tries } = failing(Number.POSITIVE_INFINITY, error)
    const answer = retryWhileUnavailable(write, new Deadline(150))
    await assert.rejects(async () => void (await answer), /connect/)
    assert.equal(tries(), 3)
  })

  test('is not retried if the database rejects it', async ({ assert }) => {
    const { write, tries } = failing(1, new Error('no such table'))
    await assert.rejects(async () => void (await retryWhileUnavailable(write)), /no such table/)
    assert.equal(tries(), 1)
  })
})
