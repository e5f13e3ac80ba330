import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import { addWait, measureOwnTime } from '#core/database/own_time'
import { WorkPlaces } from '#core/database/work_places'
import { Deadline } from '#core/values/deadline'

test.group('The own time of work', () => {
  test('excludes what it waits for others, in parts of it too', async ({ assert }) => {
    const times: Record<string, number> = {}
    const part = () =>
      measureOwnTime(
        async () => {
          await pause(20)
          addWait(10_000)
        },
        (ms) => (times.part = ms)
      )
    await measureOwnTime(part, (ms) => (times.whole = ms))
    assert.deepEqual(times, { part: 0, whole: 0 })
  })

  test('is measured if the work fails', async ({ assert }) => {
    let took = 0
    const work = async () => {
      await pause(20)
      throw new Error('It failed')
    }
    await assert.rejects(() => measureOwnTime(work, (ms) => (took = ms)), 'It failed')
    assert.isAbove(took, 15)
  })

  test('excludes the wait for a place', async ({ assert }) => {
    const places = new WorkPlaces({ capacity: 1, forSlow: 1, slowMs: 1_000, detail: 'Too much' })
    const place = await places.enter('other', new Deadline(60_000))
    let took = Infinity
    const waiting = measureOwnTime(
      () => places.run('own', async () => undefined),
      (ms) => (took = ms)
    )
    await pause(100)
    place.leave()
    await waiting
    assert.isBelow(took, 90)
  })
})
