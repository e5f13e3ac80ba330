import type { ServerResponse } from 'node:http'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { inPath, manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { freePort } from '#tests/world/free_port'
import { type Handler, TestHttpServer, sendJson } from '#tests/world/http_server'
import { issuer } from '#tests/world/prepare'

/** An application whose `listEndpoint` is served by `handler`. */
async function anApplicationListing(client: ApiClient, handler: Handler) {
  const world = await new TestHttpServer(handler).start()
  const application = await anApplication()
  const listEndpoint = `${world.url}/projects?active=true`
  await manageApplication(client, application.code).entity({ code: 'project', listEndpoint })
  const path = `/api/applications/${application.code}/entities/project/items`
  return { application, world, listEndpoint, path, [Symbol.asyncDispose]: () => world.stop() }
}

const respondingWith = (body: unknown) => (_: unknown, response: ServerResponse) =>
  sendJson(response, body)

/** The items that are read from a response of the application. */
async function itemsOf(client: ApiClient, body: unknown) {
  await using listing = await anApplicationListing(client, respondingWith(body))
  const response = await superAdmin(client).get(listing.path)
  response.assertStatus(200)
  return response.body().data.items
}

const ONE = [{ id: '1', name: 'One', description: 'The first' }]
const READ_AS = [{ id: '1', label: 'One', description: 'The first' }]

test.group('Entity items', () => {
  test('the response contains the entity, the endpoint and the items', async ({ client }) => {
    await using listing = await anApplicationListing(client, respondingWith(ONE))
    const response = await superAdmin(client).get(listing.path)
    response.assertStatus(200)
    response.assertBody({
      success: true,
      data: { entityCode: 'project', endpoint: listing.listEndpoint, items: READ_AS },
    })
  })

  test('the items are found in {what}')
    .with<{ what: string; body: unknown }[]>([
      { what: 'a bare array', body: ONE },
      { what: 'data', body: { data: ONE } },
      { what: 'items', body: { items: ONE, total: 1 } },
      { what: 'results', body: { count: 1, next: null, results: ONE } },
      { what: 'result', body: { result: ONE } },
      { what: 'records', body: { records: ONE } },
      { what: 'rows', body: { rows: ONE } },
      { what: 'content', body: { content: ONE, last: true } },
      { what: 'entities', body: { entities: ONE } },
      { what: 'list', body: { list: ONE } },
      { what: 'values', body: { values: ONE, isLastPage: true } },
      { what: 'elements', body: { elements: ONE } },
      { what: 'payload', body: { payload: ONE } },
      { what: 'envelope A', body: { success: true, data: ONE } },
      { what: 'envelope B', body: { code: 'OK', response: ONE } },
      { what: 'a page within data', body: { data: { items: ONE, page: 1 } } },
      { what: 'items beside an empty data', body: { data: null, items: ONE } },
    ])
    .run(async ({ client, assert }, { body }) => {
      assert.deepEqual(await itemsOf(client, body), READ_AS)
    })

  test('identifier, label and description come from the first field that has them', async ({
    client,
    assert,
  }) => {
    const items = await itemsOf(client, [
      { id: 7, code: 'seven', uuid: 'u-7', name: 'Name', title: 'Title', label: 'Label' },
      { code: 'eight', uuid: 'u-8', title: 'Title', label: 'Label', description: 'Eight' },
      { uuid: 'u-9', label: 'Label', description: null },
      { id: 0, name: 'Zero' },
      { id: null, code: '', uuid: 'u-10', name: null, title: '', label: 'Fallen through' },
      { id: { raw: 1 }, code: 'eleven', name: ['x'], title: 'Eleven' },
      { id: '12' },
    ])
    assert.deepEqual(items, [
      { id: '7', label: 'Name', description: '' },
      { id: 'eight', label: 'Title', description: 'Eight' },
      { id: 'u-9', label: 'Label', description: '' },
      { id: '0', label: 'Zero', description: '' },
      { id: 'u-10', label: 'Fallen through', description: '' },
      { id: 'eleven', label: 'Eleven', description: '' },
      { id: '12', label: '12', description: '' },
    ])
  })

  test('an item without an identifier is left out', async ({ client, assert }) => {
    const items = await itemsOf(client, [
      null,
      'text',
      5,
      [{ id: 'nested' }],
      { name: 'Nameless' },
      JSON.parse('{"__proto__": {"id": "inherited"}}'),
      { id: 'ok', name: 'Kept' },
    ])
    assert.deepEqual(items, [{ id: 'ok', label: 'Kept', description: '' }])
  })

  test('an empty list is accepted', async ({ client, assert }) => {
    assert.deepEqual(await itemsOf(client, []), [])
    assert.deepEqual(await itemsOf(client, { data: [] }), [])
  })

  test('only the Authorization header of the caller is sent to the endpoint', async ({
    client,
    assert,
  }) => {
    await using listing = await anApplicationListing(client, respondingWith(ONE))
    const token = await issuer.token(await anAdministratorOf(listing.application))
    const response = await client
      .get(listing.path)
      .header('authorization', `Bearer ${token}`)
      .header('cookie', 'session=secret')
      .header('x-internal-api-key', 'secret')
    response.assertStatus(200)
    assert.lengthOf(listing.world.requests, 1)
    const [{ method, url, headers }] = listing.world.requests
    assert.equal(method, 'GET')
    assert.equal(url, '/projects?active=true')
    assert.equal(headers.authorization, `Bearer ${token}`)
    assert.notProperty(headers, 'cookie')
    assert.notProperty(headers, 'x-internal-api-key')
  })

  test('a redirect is not followed, so that the token is sent nowhere else', async ({
    client,
    assert,
  }) => {
    const elsewhere = await new TestHttpServer(respondingWith(ONE)).start()
    await using listing = await anApplicationListing(client, (_, response) => {
      response.writeHead(302, { location: `${elsewhere.url}/projects` }).end()
    })
    const response = await superAdmin(client).get(listing.path)
    response.assertProblem(502, 'ENTITY_ENDPOINT_UNREACHABLE')
    assert.match(response.body().details.reason, /^[a-z_]+$/)
    assert.isEmpty(elsewhere.requests)
    await elsewhere.stop()
  })

  test('a response is refused: {what}')
    .with<{ what: string; handler: Handler }[]>([
      { what: 'status 500', handler: (_, response) => sendJson(response, ONE, 500) },
      { what: 'status 401', handler: (_, response) => sendJson(response, ONE, 401) },
      { what: 'status 304', handler: (_, response) => response.writeHead(304).end() },
      { what: 'no content', handler: (_, response) => response.writeHead(204).end() },
      { what: 'an HTML page', handler: (_, response) => response.end('<h1>Sign in</h1>') },
      { what: 'half a document', handler: (_, response) => response.end('[{"id":1},') },
      { what: 'an object without an array', handler: respondingWith({ data: { id: 1 } }) },
      { what: 'a string', handler: respondingWith('items') },
      { what: 'null', handler: respondingWith(null) },
      {
        what: 'an array buried too deep',
        handler: respondingWith({ data: { data: { data: { data: ONE } } } }),
      },
      { what: 'a closed connection', handler: (request) => request.socket.destroy() },
      {
        what: 'a connection closed in the middle',
        handler: (request, response) => {
          response.writeHead(200, { 'content-length': 1000 }).write('[{"id":')
          setImmediate(() => request.socket.destroy())
        },
      },
      {
        what: 'more than 1 MiB',
        handler: respondingWith([{ id: 'big', name: 'x'.repeat(1_048_576) }]),
      },
    ])
    .run(async ({ client, assert }, { handler }) => {
      await using listing = await anApplicationListing(client, handler)
      const response = await superAdmin(client).get(listing.path)
      response.assertProblem(502, 'ENTITY_ENDPOINT_UNREACHABLE')
      assert.deepEqual(Object.keys(response.body().details), ['reason'])
      assert.match(response.body().details.reason, /^[a-z_]+$/)
    })

  test('a response that never ends is aborted', async ({ client }) => {
    let closed = false
    await using listing = await anApplicationListing(client, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.on('close', () => (closed = true))
      const pour = () => {
        while (!closed && response.write('[1],'.repeat(4_096)));
        if (!closed) response.once('drain', pour)
      }
      response.write('[')
      pour()
    })
    const response = await superAdmin(client).get(listing.path)
    response.assertProblem(502, 'ENTITY_ENDPOINT_UNREACHABLE')
  })

  test('an endpoint that hangs before or during its response times out after five seconds', async ({
    client,
    assert,
  }) => {
    await using silent = await anApplicationListing(client, () => {})
    await using slow = await anApplicationListing(client, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[')
      const drip = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drip))
    })
    const start = performance.now()
    const responses = await Promise.all(
      [silent, slow].map(({ path }) => superAdmin(client).get(path))
    )
    assert.isBelow(performance.now() - start, 9_000)
    for (const response of responses) {
      response.assertProblem(502, 'ENTITY_ENDPOINT_UNREACHABLE')
      assert.equal(response.body().details.reason, 'timeout')
    }
  })

  test('a refused connection is an unreachable endpoint', async ({ client, assert }) => {
    const { code } = await anApplication()
    const listEndpoint = `http://127.0.0.1:${await freePort()}/projects`
    await manageApplication(client, code).entity({ code: 'project', listEndpoint })
    const response = await superAdmin(client).get(
      `/api/applications/${code}/entities/project/items`
    )
    response.assertProblem(502, 'ENTITY_ENDPOINT_UNREACHABLE')
    assert.match(response.body().details.reason, /^[a-z_]+$/)
  })

  test('metadata and link-local addresses are never requested: {$self}')
    .with([
      'http://169.254.169.254/latest/meta-data',
      'http://2852039166/latest/meta-data',
      'http://[::ffff:169.254.169.254]/latest/meta-data',
      'http://[fe80::1]/items',
      'http://[fd00:ec2::254]/latest/meta-data',
      'http://0.0.0.0/items',
    ])
    .run(async ({ client, assert }, listEndpoint) => {
      const { code } = await anApplication()
      await manageApplication(client, code).entity({ code: 'project', listEndpoint })
      const path = `/api/applications/${code}/entities/project/items`
      const response = await superAdmin(client).get(path)
      response.assertProblem(502, 'ENTITY_ENDPOINT_UNREACHABLE')
      assert.equal(response.body().details.reason, 'address')
    })

  test('an entity is found by its code, decoded once, and only in this application', async ({
    client,
  }) => {
    await using listing = await anApplicationListing(client, respondingWith(ONE))
    const { code } = await anApplication()
    const entity = await manageApplication(client, code).entity({
      code: 'crm:project/open',
      listEndpoint: listing.listEndpoint,
    })
    const items = (entityCode: string) =>
      superAdmin(client).get(`/api/applications/${code}/entities/${entityCode}/items`)
    const found = await items(inPath('crm:project/open'))
    found.assertStatus(200)
    found.assertBodyContains({ data: { entityCode: 'crm:project/open', items: READ_AS } })
    for (const other of [inPath(inPath('crm:project/open')), 'project', entity.id, '__proto__']) {
      const response = await items(other)
      response.assertProblem(404, 'ENTITY_NOT_FOUND')
    }
  })

  test('an entity without an endpoint cannot list items', async ({ client }) => {
    const { code } = await anApplication()
    await manageApplication(client, code).entity({ code: 'project' })
    const response = await superAdmin(client).get(
      `/api/applications/${code}/entities/project/items`
    )
    response.assertProblem(409, 'ENTITY_HAS_NO_ENDPOINT')
  })

  test('a view level is required, and without one the endpoint is not requested', async ({
    client,
    assert,
  }) => {
    await using listing = await anApplicationListing(client, respondingWith(ONE))
    const stranger = await signedIn(client, uniqueEmail()).get(listing.path)
    stranger.assertProblem(403, 'FORBIDDEN')
    assert.isEmpty(listing.world.requests)
    const viewer = await panelPerson(client, { [listing.application.code]: 'view' })
    const response = await signedIn(client, viewer).get(listing.path)
    response.assertStatus(200)
    const unknown = await superAdmin(client).get(
      `/api/applications/${uniqueCode()}/entities/project/items`
    )
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
