import { test } from '@japa/runner'
import { closeStreams, countStreams } from '#app/broadcasts/stream/progress_stream'
import {
  aBroadcast,
  anEndedBroadcast,
  pathOf,
  someEmails,
  working,
} from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { credentials, serviceUrl } from '#tests/helpers/send'

/** Opens the stream as a browser would, by one connection of its own. */
async function follow(path: string, signal?: AbortSignal) {
  const headers = await credentials('token')
  return fetch(`${serviceUrl()}${path}/stream`, { headers, signal })
}

/** The events of a whole stream: name and data. */
function eventsOf(text: string) {
  return [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data),
  }))
}

test.group('The stream of a broadcast', () => {
  test('tells every step until the end, and ends with it', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: someEmails(30) },
      ratePerSecond: 20,
    })
    const response = await follow(pathOf(application, id))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    working(cleanup)
    const events = eventsOf(await response.text())
    const steps = events.map(({ data }) => data.processed)
    assert.isAbove(events.length, 3)
    assert.deepEqual(
      steps,
      steps.toSorted((one, other) => one - other)
    )
    assert.include(events.at(-2), { name: 'progress' })
    assert.include(events.at(-1), { name: 'end' })
    assert.include(events.at(-1)!.data, { id, status: 'completed', total: 30, sent: 30 })
  })

  test('of one that has ended tells so and ends at once', async ({ assert }) => {
    const application = await anApplication()
    const { id } = await anEndedBroadcast(application)
    const response = await follow(pathOf(application, id))
    const events = eventsOf(await response.text())
    assert.deepEqual(
      events.map(({ name, data }) => [name, data.status]),
      [
        ['progress', 'cancelled'],
        ['end', 'cancelled'],
      ]
    )
  })

  test('leaves nothing behind when the reader goes away or the process ends', async ({
    assert,
  }) => {
    const application = await anApplication()
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    await eventually('no other is open', () => countStreams() === 0)
    const leaving = new AbortController()
    const response = await follow(pathOf(application, id), leaving.signal)
    assert.equal(countStreams(), 1)
    leaving.abort()
    await response.text().catch(() => {})
    await eventually('it is closed', () => countStreams() === 0)

    const other = await follow(pathOf(application, id))
    closeStreams()
    assert.include(await other.text(), 'event: progress')
    await eventually('it is closed, too', () => countStreams() === 0)
  })
})
