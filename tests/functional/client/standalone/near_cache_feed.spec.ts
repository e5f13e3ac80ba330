import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { ConciergeProblem } from '@concierge/client'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { openNearCache } from '#tests/helpers/near_caches'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

const QUESTION = { email: 'a@b.io', app: 'shop', permission: 'orders' }
// Long enough that no test reaches the silence limit, even on a busy machine.
const TIMING = { silenceMs: 60_000, minPauseMs: 10, maxPauseMs: 20 }

type Cleanup = (callback: () => Promise<void> | void) => void

const format = (event: string, data: object | string) =>
  `event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const beat = (revision: number) => format('heartbeat', { revision })

const HUGE = 'x'.repeat(300_000)

const GARBAGE: Record<string, string> = {
  'no JSON': format('access', '{'),
  'a change without scopes': format('access', { revision: 11 }),
  'a change without a revision': format('access', { scopes: [{}] }),
  'a negative revision': format('heartbeat', { revision: -1 }),
  'a revision that is no number': format('reset', { revision: '11' }),
  'null': format('access', 'null'),
  'scopes that are no objects': format('access', { revision: 11, scopes: ['a@b.io'] }),
  'an address that is no text': format('access', { revision: 11, scopes: [{ email: 7 }] }),
  'an endless line': `data: ${HUGE}`,
  'an endless event': 'data: x\n'.repeat(150_000),
  'a huge event': format('access', { revision: 11, scopes: [{ email: HUGE }] }),
}

/** A service whose change feed sends what a test says. */
async function aFeed(cleanup: Cleanup) {
  const streams: ServerResponse[] = []
  /** What each new connection receives. */
  let greeting = beat(10)
  let revision = '10'
  let headers: Record<string, string> = {}
  const server = await new TestHttpServer((request, response) => {
    if (request.url !== '/api/internal/changes') {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      if (revision !== '') response.setHeader('concierge-revision', revision)
      return sendJson(response, { data: { orders: true } })
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(greeting)
    streams.push(response)
  }).start()
  cleanup(() => server.stop())
  const connections = () => server.requests.filter(({ method }) => method === 'GET')
  const near = openNearCache(cleanup, { url: server.url, timing: TIMING, retries: 0 })
  await eventually('it is live', () => near.statistics.isLive)
  return {
    ...near,
    server,
    connections,
    greet: (text: string) => (greeting = text),
    answerWith: (given: { revision: string; headers?: Record<string, string> }) => {
      ;({ revision, headers = {} } = given)
    },
    send: (text: string) => streams.at(-1)!.write(text),
    end: () => streams.at(-1)!.end(),
    async ask() {
      const { hits } = near.statistics
      await near.concierge.may(QUESTION)
      return near.statistics.hits > hits ? 'remembered' : 'asked'
    },
    /** Waits until everything that was sent has arrived. */
    async settle(last: number) {
      streams.at(-1)!.write(beat(last))
      // A required revision is used up to what has arrived.
      await eventually('it arrives', async () => {
        const { hits } = near.statistics
        const other = { ...QUESTION, permission: 'orders', email: 'probe@b.io' }
        await near.concierge.may(other, { atLeast: last })
        return near.statistics.hits > hits
      })
    },
  }
}

test.group('The change feed of a near cache', () => {
  test('matches changes by user and application', async ({ cleanup, assert }) => {
    const feed = await aFeed(cleanup)
    const scopes: [object, 'remembered' | 'asked'][] = [
      [{ email: 'a@b.io' }, 'asked'],
      [{ application: 'shop' }, 'asked'],
      [{ email: 'a@b.io', application: 'shop' }, 'asked'],
      [{}, 'asked'],
      [{ email: 'c@b.io' }, 'remembered'],
      [{ email: 'a@b.io', application: 'crm' }, 'remembered'],
      [{ email: 'c@b.io', application: 'shop' }, 'remembered'],
      // Only what depends on conditions, which is not remembered.
      [{ application: 'shop', resourceType: 'order' }, 'remembered'],
    ]
    feed.answerWith({ revision: '1000' })
    let revision = 10
    for (const [scope, outcome] of scopes) {
      await feed.ask()
      assert.equal(await feed.ask(), 'remembered')
      revision++
      feed.send(format('access', { revision, scopes: [{ email: 'x@b.io' }, scope] }))
      await feed.settle(revision)
      assert.equal(await feed.ask(), outcome, JSON.stringify(scope))
    }
  })

  test('prevents that answers older than it are stored', async ({ cleanup, assert }) => {
    const feed = await aFeed(cleanup)
    const isStored = async (answer: Parameters<typeof feed.answerWith>[0]) => {
      feed.answerWith(answer)
      await feed.concierge.may(QUESTION, { atLeast: 900_000 })
      return (await feed.ask()) === 'remembered'
    }
    // What happened before the first heartbeat is not known.
    assert.isFalse(await isStored({ revision: '9' }))
    assert.isFalse(await isStored({ revision: '' }))
    assert.isFalse(await isStored({ revision: 'garbage' }))
    assert.isFalse(await isStored({ revision: '10', headers: { 'concierge-conditional': '0' } }))
    assert.isFalse(await isStored({ revision: '10', headers: { 'concierge-valid-for': '0' } }))
    assert.isFalse(await isStored({ revision: '10', headers: { 'concierge-valid-for': 'x' } }))
    assert.isTrue(await isStored({ revision: '10' }))

    feed.send(format('access', { revision: 20, scopes: [{ email: 'a@b.io' }] }))
    feed.answerWith({ revision: '20' })
    await feed.settle(20)
    assert.isFalse(await isStored({ revision: '19' }))
    assert.isTrue(await isStored({ revision: '20' }))

    // More changes than it keeps, about someone else.
    const others = Array.from({ length: 1_001 }, (_, index) =>
      format('access', {
        revision: 21 + index,
        scopes: [{ email: 'c@b.io' }, { email: 'a@b.io', application: 'crm' }],
      })
    )
    feed.send(others.join(''))
    feed.answerWith({ revision: '2000' })
    await feed.settle(1_021)
    feed.send(format('access', { revision: 1_022, scopes: [{ application: 'shop' }] }))
    await feed.settle(1_022)
    assert.isFalse(await isStored({ revision: '20' }))
    assert.isTrue(await isStored({ revision: '1022' }))
  })

  test('{$self}: it is closed, everything is forgotten, and it starts again')
    .with(Object.keys(GARBAGE))
    .run(async ({ cleanup, assert }, title) => {
      const feed = await aFeed(cleanup)
      await feed.ask()
      assert.equal(await feed.ask(), 'remembered')
      assert.lengthOf(feed.connections(), 1)
      const connected = feed.connections().length
      feed.send(GARBAGE[title])
      await eventually('it reconnects', () => feed.connections().length > connected)
      assert.notProperty(feed.connections().at(-1)!.headers, 'last-event-id')
      assert.equal(feed.statistics.size, 0)
      await eventually('it is live again', () => feed.statistics.isLive)
      assert.equal(await feed.ask(), 'asked')
      assert.equal(await feed.ask(), 'remembered')
    })

  test('continues where it was, once a heartbeat says that nothing is missing', async ({
    cleanup,
    assert,
  }) => {
    const feed = await aFeed(cleanup)
    feed.send(format('access', { revision: 12, scopes: [{ email: 'c@b.io' }] }))
    feed.answerWith({ revision: '12' })
    await feed.settle(15)
    await feed.ask()
    feed.greet(format('access', { revision: 16, scopes: [{ email: 'c@b.io' }] }))
    feed.end()
    await eventually('it reconnects', () => feed.connections().length === 2)
    assert.equal(feed.connections()[1].headers['last-event-id'], '15')
    assert.equal(await feed.ask(), 'asked')
    assert.isFalse(feed.statistics.isLive)
    assert.instanceOf(feed.statistics.failure, Error)
    feed.send(beat(16))
    await eventually('it is live', () => feed.statistics.isLive)
    assert.equal(await feed.ask(), 'remembered')
    assert.isNull(feed.statistics.failure)
  })

  test('forgets everything on a reset, and if it is older than before', async ({
    cleanup,
    assert,
  }) => {
    const feed = await aFeed(cleanup)
    for (const event of [format('reset', { revision: 30 }), beat(5)]) {
      await feed.ask()
      feed.send(event)
      await eventually('it is forgotten', () => feed.statistics.size === 0)
      assert.isTrue(feed.statistics.isLive)
      feed.answerWith({ revision: '30' })
    }
    assert.lengthOf(feed.connections(), 1)
  })

  test('ignores events that it does not know', async ({ cleanup, assert }) => {
    const feed = await aFeed(cleanup)
    await feed.ask()
    feed.send(`: comment\n\nretry: 5\n\nfield: x\n\n${format('users', 'x')}${format('later', '')}`)
    await feed.settle(10)
    assert.equal(await feed.ask(), 'remembered')
    assert.lengthOf(feed.connections(), 1)
  })

  test('says why it is refused, and recovers', async ({ cleanup, assert }) => {
    let isRefused = true
    const body = { code: 'KEY_NOT_FOR_APPLICATION', detail: 'Another key is needed' }
    const server = await new TestHttpServer((_, response) => {
      if (isRefused) return sendJson(response, body, 403)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(beat(1))
    }).start()
    cleanup(() => server.stop())
    const { statistics } = openNearCache(cleanup, { url: server.url, timing: TIMING })
    await eventually('it tries again', () => server.requests.length > 2)
    const { failure } = statistics
    assert.instanceOf(failure, ConciergeProblem)
    assert.equal((failure as ConciergeProblem).code, 'KEY_NOT_FOR_APPLICATION')
    isRefused = false
    await eventually('it is live', () => statistics.isLive)
    assert.isNull(statistics.failure)
  })

  test('does not keep a process alive', async ({ cleanup, assert }) => {
    const feed = await aFeed(cleanup)
    const program = `
      import { createConcierge } from '@concierge/client'
      const nearCache = { internalKey: 'key' }
      const concierge = createConcierge({ url: '${feed.server.url}', nearCache })
      while (!concierge.nearCache.isLive) await new Promise((resolve) => setTimeout(resolve, 10))
      console.log('live')`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: projectPath() }
    )
    assert.equal(stdout, 'live\n')
  })
})
