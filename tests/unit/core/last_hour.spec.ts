import { test } from '@japa/runner'
import { LastHour } from '#core/metrics/last_hour'
import { summariseHour } from '#app/operations/values/latency'

const MINUTE = 60_000

test.group('Requests of the last hour', () => {
  test('are counted by minute and forgotten after an hour', ({ assert }) => {
    let now = 1_000 * MINUTE
    const hour = new LastHour(3, () => now)
    hour.add(0, 200)
    hour.add(2, 503)
    now += MINUTE
    hour.add(1, 404)
    hour.addChecks(5)
    hour.addChecks(2)
    assert.deepEqual(hour.read(), [
      { minute: 1_000, failed: 1, counts: [1, 0, 1], checks: 0 },
      { minute: 1_001, failed: 0, counts: [0, 1, 0], checks: 7 },
    ])
    now = 1_060 * MINUTE
    assert.deepEqual(
      hour.read().map(({ minute }) => minute),
      [1_001]
    )
    hour.add(0, 200)
    const [last] = hour.read().slice(-1)
    assert.deepEqual(last, { minute: 1_060, failed: 0, counts: [1, 0, 0], checks: 0 })
    now += 1_000 * MINUTE
    assert.deepEqual(hour.read(), [])
  })

  test('of all processes are added up, with estimated durations', ({ assert }) => {
    const counts = (index: number, count: number) =>
      Array.from({ length: 14 }, (_, bucket) => (bucket === index ? count : 0))
    // 90 requests took up to 1 ms and 10 between 50 and 100 ms.
    const minutes = [
      { minute: 99, failed: 1, counts: counts(0, 90), checks: 300 },
      { minute: 99, failed: 2, counts: counts(6, 10) },
      { minute: 100, failed: 0, counts: counts(13, 1) },
    ]
    const hour = summariseHour(minutes, 100)
    assert.lengthOf(hour, 60)
    assert.deepEqual(hour[57], {
      minute: 98,
      requests: 0,
      failed: 0,
      checks: 0,
      p50: null,
      p95: null,
      p99: null,
    })
    assert.deepEqual(hour[58], {
      minute: 99,
      requests: 100,
      failed: 3,
      checks: 300,
      p50: 0.6,
      p95: 75,
      p99: 95,
    })
    assert.containSubset(hour[59], { minute: 100, requests: 1, p50: 10_000 })
  })
})
