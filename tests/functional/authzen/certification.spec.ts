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

const idsOf = ({ json }: Answer): string[] => json.results.map(({ id }: { id: string }) => id)
const namesOf = ({ json }: Answer): string[] =>
  json.results.map(({ name }: { name: string }) => name)

test.group('Certification, search', () => {
  test('subjects, resources and actions by identifiers alone', async ({ assert, client }) => {
    const { ask, ids, alice, record } = await aClient(client)
    const user = { type: 'user' }
    const readers = { subject: user, action: action('read'), resource: record('record-1') }
    const readable = { subject: alice(), action: action('read'), resource: { type: 'record' } }
    const actions = { subject: alice(), resource: record('record-1') }
    for (const extra of [{}, { context: CONTEXT }]) {
      const subjects = await ask('search_subject', { ...readers, ...extra })
      assert.equal(subjects.status, 200)
      assert.includeMembers(idsOf(subjects), [ids.alice, ids.bob])
      assert.isTrue(subjects.json.results.every(({ type }: { type: string }) => type === 'user'))
      const resources = await ask('search_resource', { ...readable, ...extra })
      assert.deepEqual(resources.json.results, [
        { type: 'record', id: 'record-1' },
        { type: 'record', id: 'record-2' },
      ])
      const allowed = await ask('search_action', { ...actions, ...extra })
      assert.includeMembers(namesOf(allowed), ['read', 'write'])
    }
  })

  test('subjects, resources and actions by properties', async ({ assert, client }) => {
    const { ask, ids, bob, record } = await aClient(client)
    const admin = { role: 'admin' }
    const writers = await ask('search_subject', {
      subject: { type: 'user' },
      action: action('write'),
      resource: record('record-2', ARCHIVED),
    })
    assert.include(idsOf(writers), ids.bob)
    assert.notInclude(idsOf(writers), ids.alice)
    const writable = await ask('search_resource', {
      subject: bob(admin),
      action: action('write'),
      resource: { type: 'record' },
    })
    assert.deepEqual(idsOf(writable), ['record-2'])
    const actions = await ask('search_action', {
      subject: bob(admin),
      resource: record('record-2', ARCHIVED),
    })
    assert.include(namesOf(actions), 'write')
  })

  test('pages', async ({ assert, client }) => {
    const { ask, ids, record } = await aClient(client)
    const search = {
      subject: { type: 'user' },
      action: action('read'),
      resource: record('record-1'),
    }
    const first = await ask('search_subject', { ...search, page: { limit: 1 } })
    assert.lengthOf(first.json.results, 1)
    assert.isNotEmpty(first.json.page.next_token)
    const seen = idsOf(first)
    let token: string = first.json.page.next_token
    while (token !== '') {
      const next = await ask('search_subject', { ...search, page: { token } })
      assert.isString(next.json.page.next_token)
      seen.push(...idsOf(next))
      token = next.json.page.next_token
    }
    assert.includeMembers(seen, [ids.alice, ids.bob])
    assert.lengthOf(seen, new Set(seen).size)
  })

  test('what is unknown has no results', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const stranger = { type: 'user', id: 'nonexistent-user' }
    const ship = { type: 'spaceship', id: 'x' }
    for (const [name, body] of [
      ['search_action', { subject: stranger, resource: record('record-1') }],
      ['search_action', { subject: alice(), resource: ship }],
      ['search_action', { subject: ship, resource: record('record-1') }],
      ['search_resource', { subject: stranger, action: action('read'), resource: record('') }],
      ['search_resource', { subject: alice(), action: action('read'), resource: ship }],
      ['search_resource', { subject: ship, action: action('read'), resource: { type: 'record' } }],
      ['search_subject', { subject: ship, action: action('read'), resource: record('record-1') }],
      ['search_subject', { subject: stranger, action: action('read'), resource: ship }],
      ['search_subject', { subject: stranger, action: action('fly'), resource: record('a') }],
    ] as const) {
      const { status, json } = await ask(name, body)
      assert.equal(status, 200)
      if (!('action' in body) || body.action.name !== 'fly') assert.deepEqual(json.results, [])
      assert.equal(json.page?.next_token ?? '', '')
    }
  })

  test('an incomplete search is 400', async ({ assert, client }) => {
    const { ask, alice, record } = await aClient(client)
    const user = { type: 'user' }
    for (const [name, body] of [
      ['search_subject', { subject: user, resource: record('record-1') }],
      ['search_subject', { subject: user, action: action('read'), resource: { type: 'record' } }],
      ['search_subject', { action: action('read'), resource: record('record-1') }],
      ['search_resource', { action: action('read'), resource: { type: 'record' } }],
      ['search_resource', { subject: user, action: action('read'), resource: { type: 'record' } }],
      ['search_resource', { subject: alice(), action: action('read') }],
      ['search_action', { subject: alice() }],
      ['search_action', { subject: user, resource: record('record-1') }],
    ] as const) {
      assert.equal((await ask(name, body)).status, 400, `${name} ${JSON.stringify(body)}`)
    }
  })
})
