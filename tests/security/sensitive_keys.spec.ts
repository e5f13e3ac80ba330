import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import NotificationTemplate from '#app/notifications/models/notification_template'
import {
  hasSensitiveValue,
  maskVariables,
  sensitivePaths,
  sensitiveTexts,
} from '#app/notifications/values/sensitive_variables'
import { cpuMs } from '#tests/helpers/cpu'
import { sendNotification } from '#tests/helpers/deliveries'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const ADMIN = '/api/admin/notifications'

/** As long as keys could be before their number of names was limited. */
const OLD_KEYS = keysBelow(`x.${'a.'.repeat(61)}`, 60)
/** 30 kB of JSON. */
const EMPTY_ITEMS = { x: Array.from({ length: 9_900 }, () => ({})) }

function keysBelow(path: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${path}${index}`)
}

const declared = (keys: string[]) => keys.map((key) => ({ key, required: false, sensitive: true }))

function nestedIn(wrap: (value: unknown) => unknown, depth: number, value: unknown): unknown {
  return depth === 0 ? value : wrap(nestedIn(wrap, depth - 1, value))
}

/** Each list has 10 items, and keys that name a position differ in each of them. */
function nestedLists(depth: number): unknown {
  if (depth === 0) return {}
  return Array.from({ length: 10 }, () => ({ a: nestedLists(depth - 1) }))
}

function keysWithPositions(): string[] {
  const positions = Array.from({ length: 10 }, (_, index) => index)
  const marked = [0, 1, 2, 3].flatMap((level) =>
    positions.map((position) => ['x', ...Array(level).fill('a'), position, 'a.a.a.b'].join('.'))
  )
  return [...marked, ...keysBelow('x.a.a.a.a.', 160)]
}

const HOSTILE: Record<string, [keys: string[], data: Record<string, unknown>]> = {
  'many long keys and an empty object in each item of a list': [OLD_KEYS, EMPTY_ITEMS],
  'many long keys and many names in each object': [
    OLD_KEYS,
    { x: Array.from({ length: 10_000 }, (_, index) => ({ 'a': { a: index, b: 1 }, 'a.a': 2 })) },
  ],
  'many keys with positions and lists within lists': [keysWithPositions(), { x: nestedLists(4) }],
  'keys that end at every level of the data': [
    Array.from({ length: 30 }, (_, index) =>
      Array(30 - index)
        .fill('x')
        .join('.')
    ),
    { x: nestedIn((x) => ({ x }), 28, Array.from({ length: 50_000 }, String)) },
  ],
  'lists within lists': [
    [`x.${Array(60).fill('0').join('.')}`, 'x.pin'],
    { x: nestedIn((value) => [value], 200, { 0: 'x' }) },
  ],
  'a name of very many dots': [
    ['a'.repeat(100).split('').join('.')],
    { ['a.'.repeat(200_000)]: 1 },
  ],
  'as many keys as names': [
    keysBelow('name', 20_000),
    Object.fromEntries(keysBelow('name', 20_000).map((key) => [key, key])),
  ],
}

const zeros = (count: number) => Array<string>(count).fill('0')

/** Three lists within lists, in each of which some of the positions may be named. */
function keysOfZeros(): string[] {
  const counts = [0, 1, 2, 3]
  return counts
    .flatMap((a) => counts.flatMap((b) => counts.map((c) => [a, b, c])))
    .filter(([a, b, c]) => 4 + a + b + c <= 8)
    .map(([a, b, c]) => ['x', ...zeros(a), 'x', ...zeros(b), 'x', ...zeros(c), 'z'].join('.'))
}

const inLists = (value: unknown) => nestedIn((inner) => [inner], 3, value)
const inZeros = (items: unknown[]) => ({
  x: inLists({ x: inLists({ x: nestedIn((inner) => [inner], 2, items) }) }),
})
const items = (item: unknown) => inZeros(Array.from({ length: 30_000 }, () => item))

/** Every key and list adds another reading of the positions that lead to an item. */
const AMBIGUOUS: Record<string, [keys: string[], data: Record<string, unknown>]> = {
  'numbers in a list': [keysOfZeros(), items(0)],
  'empty lists in a list': [keysOfZeros(), items([])],
  'lists within lists in a list': [keysOfZeros(), items([[[[0]]]])],
  'objects in a list': [keysOfZeros(), items({ '': 0 })],
  'objects with a dotted name in a list': [keysOfZeros(), items({ 'x.x': 0 })],
  'different positions': [keysWithPositions(), { x: nestedLists(4) }],
}

/** The least of some runs, because others may share the processor. */
const leastCpuMs = (work: () => void) => Math.min(...Array.from({ length: 5 }, () => cpuMs(work)))

test.group('Looking for sensitive values', () => {
  test('is not slowed down by keys that name positions in lists: {$self}')
    .with(Object.keys(AMBIGUOUS))
    .run(({ assert }, title) => {
      const [keys, data] = AMBIGUOUS[title]
      // Copies the data, and looks at each value once.
      const walk = leastCpuMs(() => void maskVariables({ ...data, pin: '1234' }, ['pin']))
      for (const look of [sensitiveTexts, hasSensitiveValue, maskVariables]) {
        const hostile = leastCpuMs(() => void look({ ...data }, keys))
        // It was up to 35 times as much.
        assert.isBelow(hostile, 10 + 6 * walk, look.name)
      }
    })
    .timeout(120_000)

  test('is done once for all recipients and channels of the same data', ({ assert }) => {
    const data = { codes: Array.from({ length: 1_000 }, (_, index) => `code ${index}`) }
    const texts = sensitiveTexts(data, ['codes'])
    assert.lengthOf(texts, 1_000)
    assert.strictEqual(sensitiveTexts(data, ['codes']), texts)
    assert.isEmpty(sensitiveTexts(data, ['other']))
    assert.isEmpty(sensitiveTexts({ ...data, codes: [] }, ['codes']))
  })

  test('takes time for the size of keys and data only: {$self}')
    .with(Object.keys(HOSTILE))
    .run(({ assert }, title) => {
      const [keys, data] = HOSTILE[title]
      const size = JSON.stringify({ keys, data }).length
      for (const look of [sensitiveTexts, hasSensitiveValue, maskVariables]) {
        const ms = cpuMs(() => void look(data, keys))
        // 1 µs per character; a search for each key took 100 times as long.
        assert.isBelow(ms, 20 + size / 1_000, look.name)
      }
    })
    .timeout(120_000)

  test('takes time for the number of keys only once for all placeholders', ({ assert }) => {
    const keys = keysBelow('name', 50_000)
    const ms = cpuMs(() => {
      const isSensitive = sensitivePaths(keys)
      for (let slot = 0; slot < 200; slot++) isSensitive(['other', String(slot)])
    })
    assert.isBelow(ms, 500)
  })
})

test.group('Keys of template variables', () => {
  const postTemplate = (client: ApiClient, appCode: string, typeCode: string, key: string) =>
    superAdmin(client).post(`${ADMIN}/types/${appCode}/${typeCode}/templates`, {
      key: 'deep',
      name: 'Deep',
      variables: declared([key]),
    })

  test('have at most 8 names', async ({ assert, client }) => {
    const application = await anApplication()
    const { code } = await aType(application)
    const refused = await postTemplate(client, application.code, code, 'a.b.c.d.e.f.g.h.i')
    refused.assertProblem(400, 'VALIDATION_ERROR')
    const [error] = refused.body().details.errors
    assert.containSubset(error, { field: 'variables.0.key', rule: 'variable' })
    assert.match(error.message, /at most 8 names/)
    const taken = await postTemplate(client, application.code, code, 'a.b.c.d.e.f.g.h')
    taken.assertStatus(201)
    const changed = await superAdmin(client).put(`${ADMIN}/templates/${taken.body().data.id}`, {
      variables: declared(['a.b.c.d.e.f.g.h.i']),
    })
    changed.assertProblem(400, 'VALIDATION_ERROR')
    const stored = await NotificationTemplate.findOrFail(taken.body().data.id)
    assert.equal(stored.variables[0].key, 'a.b.c.d.e.f.g.h')
  })

  test('that are older do not block sends, the log or exports', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(application, type)
    await aVersion(template, 'en')
    const email = uniqueEmail()
    const request = { recipientEmail: email, appCode: application.code, type: type.code }
    const send = () => sendNotification(client, { ...request, data: EMPTY_ITEMS })
    // Changed after a send, they apply to its entry.
    const earlier = (await send()).body().data.id
    const old = await NotificationTemplate.findOrFail(template.id)
    await old.merge({ variables: declared(OLD_KEYS) }).save()
    const startedAt = performance.now()
    const sent = await send()
    sent.assertStatus(200)
    for (const entry of [earlier, sent.body().data.id]) {
      const read = await superAdmin(client).get(`${ADMIN}/log/${application.code}/${entry}`)
      read.assertStatus(200)
    }
    const exported = await superAdmin(client).get(`/api/users/${email}/export`)
    exported.assertStatus(200)
    // Each of these steps took minutes.
    assert.isBelow(performance.now() - startedAt, 10_000)
  }).timeout(300_000)
})
