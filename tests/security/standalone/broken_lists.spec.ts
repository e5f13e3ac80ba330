import { test } from '@japa/runner'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { uniqueId } from '#tests/helpers/provider_events'
import { aRecord, reconcile, userRecordOf } from '#tests/helpers/reconciliation'

const ORGANISATION = uniqueId()

const aUser = (fields: object = {}) => ({
  userId: uniqueId(),
  state: 'USER_STATE_ACTIVE',
  details: { resourceOwner: ORGANISATION, changeDate: '2026-01-01T00:00:00Z' },
  human: { profile: {}, email: { email: `${uniqueId()}@tests.example`, isVerified: true } },
  ...fields,
})
const users = (count: number) => Array.from({ length: count }, () => aUser())
const total = (count: number) => ({ details: { totalResult: String(count) } })

interface SearchBody {
  query: { offset: string; limit: number }
  queries: object[]
}

/** Runs against a provider that lists these users, but finds none of them by id. */
async function reconcileWith(list: (body: SearchBody) => object) {
  const missing = await aRecord({ idpUserId: uniqueId(), idpOrgId: ORGANISATION })
  const provider: TestHttpServer = new TestHttpServer((request, response) => {
    if (request.method === 'GET') return sendJson(response, { code: 5 }, 404)
    return sendJson(response, list(JSON.parse(TestHttpServer.bodyOf(request).toString())))
  })
  await provider.start()
  try {
    const api = { url: provider.url, personalToken: 'token' }
    const { code, result } = await reconcile(api as never, { args: [`--org=${ORGANISATION}`] })
    return {
      code,
      result,
      requests: provider.requests.length,
      isActive: (await userRecordOf(missing)).active,
    }
  } finally {
    await provider.stop()
  }
}

test.group('Broken lists of the provider', () => {
  const lists: Record<string, [reason: string, list: (body: SearchBody) => object]> = {
    'the first page repeatedly': [
      'no_progress',
      (() => {
        const result = users(100)
        return () => ({ ...total(500), result })
      })(),
    ],
    'pages larger than requested': [
      'page_too_large',
      ({ query }) => ({ ...total(1), result: users(query.limit + 1) }),
    ],
    'more users than its total': ['more_than_total', () => ({ ...total(30), result: users(100) })],
    'endless users without a total': ['more_than_total', () => ({ result: users(100) })],
    'endless users with a growing total': [
      'more_than_total',
      ({ query }) => ({ ...total(Number(query.offset) + 200), result: users(100) }),
    ],
  }

  test('{$self}: reconciliation ends with the reason and deactivates nobody')
    .with(Object.keys(lists))
    .run(async ({ assert }, name) => {
      const [reason, list] = lists[name]
      const { code, result, requests, isActive } = await reconcileWith(list)
      assert.equal(code, 1)
      assert.containSubset(result, {
        done: false,
        changes: [],
        error: { code: 'UPSTREAM_UNREACHABLE', details: { reason } },
      })
      assert.isBelow(requests, 20)
      assert.isTrue(isActive)
    })
    .timeout(60_000)

  test('users of another organisation do not prove that this organisation is visible', async ({
    assert,
  }) => {
    const stranger = aUser({ details: { resourceOwner: uniqueId() } })
    const { code, isActive } = await reconcileWith(({ query }) =>
      Number(query.offset) === 0 ? { ...total(1), result: [stranger] } : total(1)
    )
    assert.equal(code, 0)
    assert.isTrue(isActive)
  })
})
