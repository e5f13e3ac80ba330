import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import {
  GATEWAY,
  aDecisionPoint,
  ask,
  bound,
  machineToken,
  saveResources,
} from '#tests/helpers/authzen'
import { uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

type Endpoint = 'subject' | 'resource' | 'action'

/** Ten readers and ten records, of which all may be read. */
async function aLibrary(client: ApiClient) {
  const point = await aDecisionPoint(client)
  const { code, manage, role, entity, request } = point
  const readers = Array.from({ length: 9 }, (_, nth) => uniqueEmail(`reader${nth}`))
  for (const reader of readers) await manage.userRoles(reader, [role.id])
  const ids = Array.from({ length: 10 }, (_, nth) => `record-${nth}`)
  await saveResources(
    client,
    code,
    entity.id,
    ids.map((resourceId) => ({ resourceId, properties: { number: Number(resourceId.at(-1)) } }))
  )
  const bodies = {
    subject: { ...request, subject: { type: 'user' } },
    resource: { ...request, resource: { type: 'record' } },
    action: { subject: request.subject, resource: request.resource },
  }
  const search = (endpoint: Endpoint, extra: object = {}) =>
    ask(code, `search/${endpoint}`, { ...bodies[endpoint], ...extra })
  return { ...point, readers: [...readers, point.email], ids, bodies, search }
}

const ENDPOINTS: Endpoint[] = ['subject', 'resource', 'action']

test.group('AuthZEN searches', () => {
  test('subjects are named by account if their record is bound, else by address', async ({
    assert,
    client,
  }) => {
    const { code, readers, search, request } = await aLibrary(client)
    const [account, strange, ...others] = readers
    const sub = await bound(client, account)
    await bound(client, strange, `${crypto.randomUUID()}@provider`)
    const { json } = await search('subject')
    const ids = json.results.map(({ id }: { id: string }) => id)
    assert.includeMembers(ids, [sub, strange, ...others])
    assert.notInclude(ids, account)
    for (const subject of json.results) {
      const decided = await ask(code, 'evaluation', { ...request, subject })
      assert.isTrue(decided.json.decision, JSON.stringify(subject))
    }
  })

  test('an account names only the record that it stands for', async ({ assert, client }) => {
    const { code, readers, search, request, manage, role } = await aLibrary(client)
    const renamed = uniqueEmail()
    await manage.userRoles(renamed, [role.id])
    const sub = await bound(client, readers[0])
    await bound(client, renamed, sub)
    const { json } = await search('subject')
    const ids = json.results.map(({ id }: { id: string }) => id)
    assert.equal(ids.filter((id: string) => id === sub).length, 1)
    assert.include(ids, readers[0])
    for (const subject of json.results) {
      assert.isTrue((await ask(code, 'evaluation', { ...request, subject })).json.decision)
    }
  })

  test('super admins, administrators and granting overrides are found, denials are not', async ({
    assert,
    client,
  }) => {
    const { search, manage, read, request, readers } = await aLibrary(client)
    const [admin, guest] = [uniqueEmail(), uniqueEmail()]
    await manage.administrator(admin)
    const on: [string, string] = [request.resource.type, request.resource.id]
    await manage.overrides(guest, on, [{ permissionId: read.id, granted: true }])
    await manage.overrides(readers[0], on, [{ permissionId: read.id, granted: false }])
    const { json } = await search('subject')
    const ids = json.results.map(({ id }: { id: string }) => id)
    assert.includeMembers(ids, [admin, guest, readers[1]])
    assert.notInclude(ids, readers[0])
    const denied = { subject: { type: 'user', id: readers[0] } }
    const records = await search('resource', denied)
    assert.lengthOf(records.json.results, 9)
    const actions = await search('action', denied)
    assert.deepEqual(actions.json.results, [])
    const all = await search('action', { subject: { type: 'user', id: SUPER_ADMIN } })
    assert.deepEqual(all.json.results, [{ name: 'read' }])
  })

  test('what depends on properties that nobody gave is not found', async ({ assert, client }) => {
    const { search, manage, role, read, bodies } = await aLibrary(client)
    const condition = 'context.calm == true && resource.properties.number < 3'
    await manage.rolePermissions(role.id, [
      { permissionId: read.id, accessLevel: 'allowed', condition },
    ])
    for (const endpoint of ENDPOINTS) {
      const { json } = await search(endpoint)
      const ids = json.results.map(({ id }: { id: string }) => id)
      assert.isFalse(
        ids.some((id: string) => id?.startsWith('reader')),
        endpoint
      )
      if (endpoint !== 'subject') assert.deepEqual(json.results, [], endpoint)
    }
    const context = { calm: true }
    const three = await search('resource', { context })
    assert.lengthOf(three.json.results, 3)
    const actions = await search('action', { context })
    assert.deepEqual(actions.json.results, [{ name: 'read' }])
    const given = { ...bodies.subject.resource, properties: { number: 8 } }
    const nobody = await search('subject', { context, resource: given })
    const ids = nobody.json.results.map(({ id }: { id: string }) => id)
    assert.isFalse(ids.some((id: string) => id.startsWith('reader')))
  })

  test('pages are complete, whatever their size, and count their results: {$self}')
    .with(ENDPOINTS)
    .run(async ({ assert, client }, endpoint) => {
      const { manage, search, role, read } = await aLibrary(client)
      const others = await Promise.all(
        ['a', 'B', 'c', '9'].map((name) => manage.permission({ code: `x${name}` }))
      )
      await manage.rolePermissions(
        role.id,
        [read, ...others].map(({ id }) => ({ permissionId: id, accessLevel: 'allowed' }))
      )
      const whole = await search(endpoint)
      const { results, page } = whole.json
      assert.deepEqual(page, { next_token: '', count: results.length, total: results.length })
      assert.isAbove(results.length, 4)
      for (const limit of [1, 2, 3, results.length, 5_000]) {
        const found: object[] = []
        let part: { token?: string; limit?: number } = { limit }
        do {
          const { json } = await search(endpoint, { page: part })
          assert.isAtMost(json.results.length, limit)
          assert.equal(json.page.count, json.results.length)
          assert.equal(json.page.total, results.length)
          found.push(...json.results)
          part = { token: json.page.next_token, ...(found.length % 2 ? {} : { limit }) }
        } while (part.token !== '')
        assert.deepEqual(found, results, `limit ${limit}`)
      }
    })

  test('a page of no results continues where it began', async ({ assert, client }) => {
    const { search } = await aLibrary(client)
    for (const endpoint of ENDPOINTS) {
      const none = await search(endpoint, { page: { limit: 0 } })
      assert.deepEqual(none.json.results, [])
      assert.equal(none.json.page.count, 0)
      assert.isAbove(none.json.page.total, 0)
      const again = await search(endpoint, { page: { token: none.json.page.next_token } })
      assert.equal(again.status, 200)
      assert.isNotEmpty(again.json.page.next_token)
    }
    const nothing = await search('action', {
      subject: { type: 'user', id: 'nobody' },
      page: { limit: 0 },
    })
    assert.deepEqual(nothing.json.page, { next_token: '', count: 0, total: 0 })
  })

  test('an unknown application is 404', async ({ assert, client }) => {
    const { bodies } = await aLibrary(client)
    for (const endpoint of ENDPOINTS) {
      assert.equal((await ask('none-such', `search/${endpoint}`, bodies[endpoint])).status, 404)
    }
  })

  test('a listed client may search', async ({ assert, client }) => {
    const { code, bodies } = await aLibrary(client)
    const headers = { authorization: `Bearer ${await machineToken({ sub: GATEWAY })}` }
    for (const endpoint of ENDPOINTS) {
      const answer = await ask(code, `search/${endpoint}`, bodies[endpoint], headers)
      assert.isNotEmpty(answer.json.results)
    }
  })
})

test.group('AuthZEN page tokens', () => {
  test('belong to one search, whatever the order of its members', async ({ assert, client }) => {
    const { code, request, search, bodies } = await aLibrary(client)
    const context = { b: { d: 1, c: 2 }, a: 1 }
    const page = { limit: 2 }
    const { json } = await search('subject', { context, page })
    const token: string = json.page.next_token
    const reordered = {
      page: { token },
      context: { a: 1, b: { c: 2, d: 1 } },
      resource: { id: request.resource.id, type: 'record' },
      subject: { type: 'user', id: 'ignored' },
      action: { name: 'read' },
      unknown: true,
    }
    assert.equal((await ask(code, 'search/subject', reordered)).status, 200)
    const other = await aDecisionPoint(client)
    for (const [app, endpoint, change] of [
      [code, 'subject', { context: { ...context, a: 2 } }],
      [code, 'subject', {}],
      [code, 'subject', { context, action: { name: 'write' } }],
      [code, 'subject', { context, resource: { type: 'record', id: 'record-2' } }],
      [code, 'subject', { context, page: { token, limit: 3 } }],
      [other.code, 'subject', { context }],
      [code, 'resource', { context }],
      [code, 'action', { context }],
    ] as const) {
      const body = { ...bodies[endpoint], page: { token }, ...change }
      const answer = await ask(app, `search/${endpoint}`, body)
      assert.equal(answer.status, 400, `${endpoint} ${JSON.stringify(change)}`)
      assert.match(answer.text, /^VALIDATION_ERROR: page\.(?:token|limit) must be/)
    }
  })

  test('cannot be made up: {$self}')
    .with(['x', '', 'x'.repeat(5_000), 'null', Buffer.from('["record-1",2]').toString('base64url')])
    .run(async ({ assert, client }, token) => {
      const { search } = await aLibrary(client)
      const genuine = (await search('resource', { page: { limit: 2 } })).json.page.next_token
      for (const endpoint of ENDPOINTS) {
        for (const forged of [token, genuine.slice(0, -1), `${genuine}${token || 'x'}`]) {
          const answer = await search(endpoint, { page: { token: forged } })
          assert.equal(answer.status, 400, forged)
        }
      }
    })

  test('a page is refused: {message}')
    .with([
      { page: 'x', message: 'page must be an object' },
      { page: { limit: -1 }, message: 'page.limit must be a whole number of at least 0' },
      { page: { limit: 1.5 }, message: 'page.limit must be a whole number of at least 0' },
      { page: { limit: '1' }, message: 'page.limit must be a whole number of at least 0' },
      { page: { limit: 2 ** 53 }, message: 'page.limit must be a whole number of at least 0' },
      { page: { token: 1 }, message: 'page.token must be a string' },
      { page: { token: '' }, message: 'page.token must not be empty' },
    ])
    .run(async ({ assert, client }, { page, message }) => {
      const { search } = await aLibrary(client)
      for (const endpoint of ENDPOINTS) {
        const answer = await search(endpoint, { page })
        assert.equal(answer.status, 400)
        assert.equal(answer.text, `VALIDATION_ERROR: ${message}`)
      }
    })
})
