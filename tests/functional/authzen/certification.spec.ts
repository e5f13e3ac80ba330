import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { type Answer, answerOf, decisionPoint, post } from '#tests/helpers/authzen'
import { certificationFixture } from '#tests/helpers/authzen_fixture'

/**
 * The certification scenario of the working group, by a client that knows the identifier of the
 * decision point and nothing else of this service.
 */
async function aClient(client: ApiClient) {
  const { code, alice, bob } = await certificationFixture(client)
  const identifier = decisionPoint(code)
  const { origin, pathname } = new URL(identifier)
  const discovered = await answerOf(
    await fetch(`${origin}/.well-known/authzen-configuration${pathname}`)
  )
  const endpoint = (name: string): string => discovered.json[`${name}_endpoint`]
  const user = (id: string, properties?: object) => ({ type: 'user', id, properties })
  const record = (id: string, properties?: object) => ({ type: 'record', id, properties })
  return {
    identifier,
    discovered,
    alice: (properties?: object) => user(alice, properties),
    bob: (properties?: object) => user(bob, properties),
    record,
    ids: { alice, bob },
    ask: (name: string, body: unknown, headers?: Record<string, string>) =>
      post(endpoint(name), body, headers),
  }
}

const ACTIVE = { status: 'active' }
const ARCHIVED = { status: 'archived' }
const CONTEXT = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' }
const action = (name: string, properties?: object) => ({ name, properties })
const decisionsOf = ({ json }: Answer) =>
  json.evaluations.map(({ decision }: { decision: boolean }) => decision)

test.group('Certification, discovery', () => {
  test('the metadata is at the well-known address of the identifier', async ({
    assert,
    client,
  }) => {
    const { discovered, identifier } = await aClient(client)
    const { status, headers, json } = discovered
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^application\/json/)
    assert.equal(json.policy_decision_point, identifier)
    for (const [name, value] of Object.entries(json)) {
      if (name.endsWith('_endpoint')) assert.isTrue(String(value).startsWith(`${identifier}/`))
    }
  })
})

test.group('Certification, basic', () => {
  test('identifiers alone decide', async ({ assert, client }) => {
    const { ask, alice, bob, record } = await aClient(client)
    for (const [subject, name, expected] of [
      [alice(), 'read', true],
      [alice(), 'write', true],
      [bob(), 'read', true],
      [bob(), 'write', false],
    ] as const) {
      const request = { subject, action: action(name), resource: record('record-1') }
      for (const body of [request, { ...request, context: CONTEXT }, request]) {
        const { status, headers, json } = await ask('access_evaluation', body)
        assert.equal(status, 200)
        assert.match(headers.get('content-type')!, /^application\/json/)
        assert.strictEqual(json.decision, expected, `${name} ${expected}`)
        assert.isObject(json.context ?? {})
      }
    }
  })

  test('properties decide', async ({ assert, client }) => {
    const { ask, alice, bob, record } = await aClient(client)
    const admin = { role: 'admin' }
    for (const [subject, what, resource, expected] of [
      [alice(), action('write'), record('record-2', ARCHIVED), false],
      [alice(admin), action('write'), record('record-2', ARCHIVED), true],
      [bob(admin), action('write'), record('record-2', ARCHIVED), true],
      [alice(), action('delete', { soft: true }), record('record-1'), true],
      [alice(), action('delete', { soft: false }), record('record-1'), false],
      [alice(), action('delete'), record('record-1'), false],
    ] as const) {
      const { json } = await ask('access_evaluation', { subject, action: what, resource })
      assert.strictEqual(json.decision, expected, JSON.stringify([subject, what, resource]))
    }
  })

  test('additional properties and unknown fields are ignored', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const { json } = await ask('access_evaluation', {
      subject: alice({ department: 'Sales', role: 'manager' }),
      action: action('read', { method: 'GET' }),
      resource: { ...record('record-1', { ...ACTIVE, owner: 'bob' }), futureField: 1 },
      foo: 'bar',
      futureField: { nested: true },
    })
    assert.isTrue(json.decision)
  })

  test('an incomplete or wrong request is 400', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const valid = { subject: alice(), action: action('read'), resource: record('record-1') }
    for (const wrong of [
      { subject: undefined },
      { action: undefined },
      { resource: undefined },
      { subject: { id: valid.subject.id } },
      { subject: { type: 'user' } },
      { action: {} },
      { resource: { id: 'record-1' } },
      { resource: { type: 'record' } },
      { subject: 'alice' },
      { action: { name: 123 } },
      { context: 'now' },
    ]) {
      const answer = await ask('access_evaluation', { ...valid, ...wrong })
      assert.equal(answer.status, 400, JSON.stringify(wrong))
      assert.match(answer.text, /^VALIDATION_ERROR: \w+/)
    }
    for (const body of ['{"subject":', '', '[]', 'null']) {
      assert.equal((await ask('access_evaluation', body)).status, 400, body)
    }
    const text = await ask('access_evaluation', valid, { 'content-type': 'text/plain' })
    assert.equal(text.status, 400)
  })

  test('the request id is returned', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const valid = { subject: alice(), action: action('read'), resource: record('record-1') }
    const id = 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716'
    const answer = await ask('access_evaluation', valid, { 'X-Request-ID': id })
    assert.equal(answer.headers.get('X-Request-ID'), id)
    assert.equal((await ask('access_evaluation', valid)).status, 200)
  })
})

test.group('Certification, batch', () => {
  test('one subject or one resource, with defaults', async ({ assert, client }) => {
    const { ask, alice, bob, record } = await aClient(client)
    const records = await ask('access_evaluations', {
      subject: alice(),
      action: action('read'),
      evaluations: [{ resource: record('record-1') }, { resource: record('record-2') }],
    })
    assert.equal(records.status, 200)
    assert.deepEqual(decisionsOf(records), [true, true])
    assert.notProperty(records.json, 'decision')
    const actions = await ask('access_evaluations', {
      subject: bob(),
      resource: record('record-1'),
      evaluations: [{ action: action('read') }, { action: action('write') }],
    })
    assert.deepEqual(decisionsOf(actions), [true, false])
  })

  test('properties of each item decide', async ({ assert, client }) => {
    const { ask, alice, bob, record } = await aClient(client)
    const statuses = await ask('access_evaluations', {
      subject: alice(),
      action: action('write'),
      evaluations: [
        { resource: record('record-1', ACTIVE) },
        { resource: record('record-2', ARCHIVED) },
      ],
    })
    assert.deepEqual(decisionsOf(statuses), [true, false])
    const subjects = await ask('access_evaluations', {
      action: action('write'),
      resource: record('record-2', ARCHIVED),
      evaluations: [{ subject: alice() }, { subject: bob({ role: 'admin' }) }],
    })
    assert.deepEqual(decisionsOf(subjects), [false, true])
  })

  test('an item completes what it takes from a default', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const merged = await ask('access_evaluations', {
      subject: alice(),
      action: action('write'),
      resource: { type: 'record' },
      evaluations: [
        { resource: { id: 'record-1', properties: ACTIVE } },
        { resource: record('record-2', ARCHIVED) },
      ],
    })
    assert.deepEqual(decisionsOf(merged), [true, false])
  })

  test('items without defaults, and with a context of their own', async ({ assert, client }) => {
    const { ask, alice, bob, record } = await aClient(client)
    const whole = await ask('access_evaluations', {
      evaluations: [
        { subject: alice(), action: action('read'), resource: record('record-1') },
        { subject: bob(), action: action('write'), resource: record('record-1') },
      ],
    })
    assert.deepEqual(decisionsOf(whole), [true, false])
    const inherited = await ask('access_evaluations', {
      subject: alice(),
      action: action('read'),
      context: CONTEXT,
      evaluations: [
        { resource: record('record-1') },
        { resource: record('record-2'), context: { source: 'batch-override' } },
      ],
    })
    assert.lengthOf(inherited.json.evaluations, 2)
  })

  test('a failed item is a denial', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const answer = await ask('access_evaluations', {
      subject: alice(),
      action: action('read'),
      evaluations: [{ resource: record('record-1') }, {}],
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(decisionsOf(answer), [true, false])
    assert.isObject(answer.json.evaluations[1].context)
  })

  test('without items it is a single evaluation', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const single = { subject: alice(), action: action('read'), resource: record('record-1') }
    for (const body of [single, { ...single, evaluations: [] }]) {
      const { status, json } = await ask('access_evaluations', body)
      assert.equal(status, 200)
      assert.strictEqual(json.decision, true)
      assert.notProperty(json, 'evaluations')
    }
  })
})
