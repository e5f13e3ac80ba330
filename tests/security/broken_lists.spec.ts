import { test } from '@japa/runner'
import { HttpWorld, sendJson } from '#tests/world/http_server'
import { uniqueId } from '#tests/helpers/provider_events'
import { aRecord, reconcile, recordOf } from '#tests/helpers/reconciliation'

const ORGANISATION = uniqueId()

const aUser = (fields: object = {}) => ({
  userId: uniqueId(),
  state: 'USER_STATE_ACTIVE',
  details: { resourceOwner: ORGANISATION, changeDate: '2026-01-01T00:00:00Z' },
  human: { profile: {}, email: { email: `${uniqueId()}@tests.example`, isVerified: true } },
  ...fields,
})
const some = (count: number) => Array.from({ length: count }, () => aUser())
const total = (count: number) => ({ details: { totalResult: String(count) } })

interface Asked {
  query: { offset: string; limit: number }
  queries: object[]
}

/** A provider that lists what it likes, and knows nobody it is asked for by id. */
async function reconciledWith(list: (asked: Asked) => object) {
  const gone = await aRecord({ idpUserId: uniqueId(), idpOrgId: ORGANISATION })
  const provider: HttpWorld = new HttpWorld((request, response) => {
    if (request.method === 'GET') return sendJson(response, { code: 5 }, 404)
    return sendJson(response, list(JSON.parse(HttpWorld.bodyOf(request).toString())))
  })
  await provider.start()
  try {
    const api = { url: provider.url, personalToken: 'token' }
    const { code, result } = await reconcile(api as never, { args: [`--org=${ORGANISATION}`] })
    return { code, result, asked: provider.requests.length, isOpen: (await recordOf(gone)).active }
  } finally {
    await provider.stop()
  }
}

test.group('Lists of a provider that is out of order', () => {
  const lists: Record<string, [reason: string, list: (asked: Asked) => object]> = {
    'the first page over and over': [
      'no_progress',
      (() => {
        const result = some(100)
        return () => ({ ...total(500), result })
      })(),
    ],
    'pages larger than asked for': [
      'page_too_large',
      ({ query }) => ({ ...total(1), result: some(query.limit + 1) }),
    ],
    'more people than it says there are': [
      'more_than_total',
      () => ({ ...total(30), result: some(100) }),
    ],
    'people without end, and no total': ['more_than_total', () => ({ result: some(100) })],
    'people without end, and always as many more': [
      'more_than_total',
      ({ query }) => ({ ...total(Number(query.offset) + 200), result: some(100) }),
    ],
  }

  test('{$self}: the run ends, says why and closes nobody')
    .with(Object.keys(lists))
    .run(async ({ assert }, name) => {
      const [reason, list] = lists[name]
      const { code, result, asked, isOpen } = await reconciledWith(list)
      assert.equal(code, 1)
      assert.containSubset(result, {
        done: false,
        changes: [],
        error: { code: 'UPSTREAM_UNREACHABLE', details: { reason } },
      })
      assert.isBelow(asked, 20)
      assert.isTrue(isOpen)
    })
    .timeout(60_000)

  test('a list of other organisations is no sign that this one is to be seen', async ({
    assert,
  }) => {
    const stranger = aUser({ details: { resourceOwner: uniqueId() } })
    const { code, isOpen } = await reconciledWith(({ query }) =>
      Number(query.offset) === 0 ? { ...total(1), result: [stranger] } : total(1)
    )
    assert.equal(code, 0)
    assert.isTrue(isOpen)
  })
})
