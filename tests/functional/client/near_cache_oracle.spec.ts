import { setTimeout as pause } from 'node:timers/promises'
import { type Concierge, createConcierge, revisionOf, unwrap } from '@concierge/client'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import fc from 'fast-check'
import feedConfig from '#config/change_feed'
import { aShop } from '#tests/functional/checks/shop'
import { eventually } from '#tests/helpers/eventually'
import { aNearCache } from '#tests/helpers/near_caches'
import { serviceUrl } from '#tests/helpers/send'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { TcpProxy } from '#tests/world/tcp_proxy'

const ROLES = '/api/users/{email}/apps/{appCode}/roles'
const USERS = 3
const RUNS = 12

/** What happens to one of the users, or to the feed. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('ask', 'askFresh'),
      user: fc.nat(USERS - 1),
      delayMs: fc.constantFrom(0, 0, 2, 15),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('grant', 'revoke'), user: fc.nat(USERS - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('stall', 'resume', 'cut', 'arrive') }) }
)

interface Change {
  revision: number
  allowed: boolean
}

/** Whether a user could export after each change. */
class History {
  readonly #changes: Change[]

  constructor(first: Change) {
    this.#changes = [first]
  }

  get last() {
    return this.#changes.at(-1)!
  }

  add(change: Change) {
    this.#changes.push(change)
  }

  /** All answers that are not older than a revision. */
  answersSince(revision: number): boolean[] {
    const next = this.#changes.findIndex((change) => change.revision > revision)
    const first = next === -1 ? this.#changes.length - 1 : Math.max(0, next - 1)
    return this.#changes.slice(first).map(({ allowed }) => allowed)
  }
}

async function aWorld(client: ApiClient, cleanup: (callback: () => void) => void) {
  const { app, clerk, shop } = await aShop(client)
  const admin = createConcierge({ url: serviceUrl(), token: await issuer.token(SUPER_ADMIN) })
  const proxy = await TcpProxy.inFrontOf(serviceUrl())
  cleanup(() => proxy.stop())
  let delayMs = 0
  const near = await aNearCache(cleanup, {
    url: new URL(proxy.url).origin,
    timing: { minPauseMs: 1, maxPauseMs: 5 },
    async fetch(request) {
      const delay = delayMs
      const { pathname } = new URL((request as Request).url)
      const response = await fetch(new Request(serviceUrl() + pathname, request as Request))
      await pause(delay)
      return response
    },
  })
  const set = async (email: string, allowed: boolean): Promise<Change> => {
    const params = { path: { email, appCode: app } }
    const body = { roleIds: allowed ? [clerk.id] : [] }
    const written = await admin.api.PUT(ROLES, { params, body })
    await unwrap(written)
    return { revision: revisionOf(written.response)!, allowed }
  }
  return {
    ...near,
    app,
    shop,
    proxy,
    set,
    delayAnswers: (ms: number) => {
      delayMs = ms
    },
    /** What has arrived. */
    position: () =>
      (near.concierge.nearCache as unknown as { lastRevision?: number }).lastRevision ?? 0,
  }
}

const ask = (concierge: Concierge, app: string, email: string, atLeast?: number) =>
  concierge.may({ email, app, permission: 'export' }, { atLeast })

test.group('Answers of a near cache', (group) => {
  group.setup(() => {
    const { heartbeatMs } = feedConfig
    feedConfig.heartbeatMs = 20
    return () => {
      feedConfig.heartbeatMs = heartbeatMs
    }
  })

  test('are never older than what has arrived, whatever is delayed', async ({
    client,
    assert,
    cleanup,
  }) => {
    const world = await aWorld(client, cleanup)
    const { app, concierge, proxy, statistics } = world
    const all = { asked: 0, remembered: 0 }
    let run = 0
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 60, maxLength: 60 }),
      async (steps) => {
        run++
        const users = await Promise.all(
          Array.from({ length: USERS }, async (_, user) => {
            const email = `clerk${run}-${user}@tests.example`
            return { email, history: new History(await world.set(email, true)) }
          })
        )
        const asking: Promise<void>[] = []
        for (const given of steps) {
          const {
            kind,
            user = 0,
            delayMs = 0,
          } = given as { kind: string; user?: number; delayMs?: number }
          const { email, history } = users[user]
          if (kind === 'grant' || kind === 'revoke')
            history.add(await world.set(email, kind === 'grant'))
          else if (kind === 'stall') proxy.stall()
          else if (kind === 'resume') proxy.resume()
          else if (kind === 'cut') proxy.cut()
          else if (kind === 'arrive') {
            proxy.resume()
            const latest = Math.max(...users.map((one) => one.history.last.revision))
            await eventually('it arrives', () => statistics.isLive && world.position() >= latest)
          } else {
            const atLeast = kind === 'askFresh' ? history.last.revision : undefined
            const least = atLeast ?? (statistics.isLive ? world.position() : history.last.revision)
            const { hits } = statistics
            world.delayAnswers(delayMs)
            const answer = ask(concierge, app, email, atLeast).then((allowed) => {
              const possible = history.answersSince(least)
              assert.include(possible, allowed, `${email} at ${least}`)
            })
            all[statistics.hits > hits ? 'remembered' : 'asked']++
            asking.push(answer)
            if (delayMs === 0) await answer
          }
        }
        await Promise.all(asking)
        proxy.resume()
      }
    )
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
    // Otherwise it would prove little.
    assert.isAbove(all.remembered, 20)
    assert.isAbove(all.asked, 20)
  })
})
