import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { OperationObject } from '#development/openapi/document'
import type Application from '#app/applications/models/application'
import UserPool from '#app/platform/models/user_pool'
import { aBroadcast } from '#tests/helpers/broadcasts'
import { document, operations } from '#tests/helpers/described_operations'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { aBrand, aLanguage } from '#tests/helpers/platform'
import { sendBody } from '#tests/helpers/send'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { INTERNAL_KEY, SUPER_ADMIN, issuer } from '#tests/world/prepare'

interface Resource {
  path: string
  /** Two different contents. */
  bodies: [object, object]
  query?: string
  /** Defaults to true; templates, languages and pools are only listed. */
  readable?: boolean
  deletable?: boolean
  method?: 'put' | 'patch'
}

interface Scene {
  client: ApiClient
  application: Application
}

const named = (): [object, object] => [{ name: 'First' }, { name: 'Second' }]

const RESOURCES: Record<string, (scene: Scene) => Promise<Resource>> = {
  async 'application'({ application }) {
    return { path: `/api/applications/${application.code}`, bodies: named(), deletable: true }
  },
  async 'entity'({ client, application }) {
    const { id } = await manageApplication(client, application.code).entity()
    const path = `/api/applications/${application.code}/entities/${id}`
    return { path, bodies: named(), deletable: true }
  },
  async 'role'({ client, application }) {
    const { id } = await manageApplication(client, application.code).role()
    const path = `/api/applications/${application.code}/roles/${id}`
    return { path, bodies: named(), deletable: true }
  },
  async 'permission'({ client, application }) {
    const { id } = await manageApplication(client, application.code).permission()
    const path = `/api/applications/${application.code}/permissions/${id}`
    return { path, bodies: named(), deletable: true }
  },
  async 'permissions of a role'({ client, application }) {
    const manage = manageApplication(client, application.code)
    const role = await manage.role()
    const { id: permissionId } = await manage.permission({ type: 'tiered' })
    const set = (accessLevel: string) => ({ permissions: [{ permissionId, accessLevel }] })
    const path = `/api/applications/${application.code}/roles/${role.id}/permissions`
    return { path, bodies: [set('view'), set('edit')] }
  },
  async 'role permission matrix'({ client, application }) {
    const manage = manageApplication(client, application.code)
    const { id: roleId } = await manage.role()
    const { id: permissionId } = await manage.permission({ type: 'tiered' })
    const set = (accessLevel: string) => ({ changes: [{ roleId, permissionId, accessLevel }] })
    const path = `/api/applications/${application.code}/role-permissions`
    return { path, bodies: [set('view'), set('edit')], method: 'patch' }
  },
  async 'roles of a user'({ client, application }) {
    const manage = manageApplication(client, application.code)
    const [first, second] = [await manage.role(), await manage.role()]
    const path = `/api/users/${uniqueEmail()}/apps/${application.code}/roles`
    return { path, bodies: [{ roleIds: [first.id] }, { roleIds: [first.id, second.id] }] }
  },
  async 'overrides on a resource'({ client, application }) {
    const manage = manageApplication(client, application.code)
    const { id: permissionId } = await manage.permission({ type: 'tiered' })
    const set = (granted: boolean) => ({ permissions: [{ permissionId, granted }] })
    const path = overridesPath(uniqueEmail(), application.code, 'order', '1')
    return { path, bodies: [set(true), set(false)] }
  },
  async 'notification type'({ application }) {
    const { code } = await aType(application)
    const path = `/api/admin/notifications/types/${application.code}/${code}`
    return { path, bodies: named(), deletable: true }
  },
  async 'sample data'({ application }) {
    const { code } = await aType(application)
    const set = (name: string) => ({ samples: [{ name, data: {} }] })
    const path = `/api/admin/notifications/types/${application.code}/${code}/samples`
    return { path, bodies: [set('First'), set('Second')] }
  },
  async 'template'({ application }) {
    const { id } = await aTemplate(application, await aType(application))
    const path = `/api/admin/notifications/templates/${id}`
    return { path, bodies: named(), readable: false, deletable: true }
  },
  async 'language version'({ application }) {
    const template = await aTemplate(application, await aType(application))
    await aVersion(template, 'en')
    const texts = (subjectTemplate: string) => ({ subjectTemplate, bodyTemplate: '<p>Hello</p>' })
    const path = `/api/admin/notifications/templates/${template.id}/locales/en`
    return { path, bodies: [texts('First'), texts('Second')], deletable: true }
  },
  async 'broadcast'({ application }) {
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const path = `/api/admin/notifications/broadcast/${application.code}/${id}`
    return { path, bodies: [{ ratePerSecond: 1 }, { ratePerSecond: 2 }] }
  },
  async 'brand'({ client }) {
    const { id } = await aBrand(client)
    return { path: `/api/admin/brands/${id}`, bodies: named(), deletable: true }
  },
  async 'language'({ client }) {
    const { code } = await aLanguage(client)
    const path = `/api/admin/languages/${code}`
    return { path, bodies: named(), readable: false, deletable: true }
  },
  async 'user pool'() {
    const pool = await UserPool.create({ slug: uniqueCode(), name: 'Pool' })
    const path = `/api/admin/user-pools/${pool.id}`
    return { path, bodies: named(), readable: false, deletable: true }
  },
}

async function aResource(client: ApiClient, kind: string) {
  const resource = await RESOURCES[kind]({ client, application: await anApplication() })
  const { path, bodies, method = 'put', readable = true } = resource
  const token = await issuer.token(SUPER_ADMIN)
  const send = (verb: 'get' | 'put' | 'patch' | 'delete', body?: object, ifMatch?: string) => {
    const request = client.request(path, verb.toUpperCase())
    request.header('authorization', `Bearer ${token}`)
    if (ifMatch !== undefined) request.header('if-match', ifMatch)
    if (body !== undefined) request.json(body)
    return request.send()
  }
  const write = (body: object, ifMatch?: string) => send(method, body, ifMatch)
  /** The tag of the present state. */
  const tag = async () => {
    const response = readable ? await send('get') : await write({})
    response.assertStatus(200)
    return response.header('etag')!
  }
  return { ...resource, bodies, readable, send, write, tag }
}

function headersOf(response: OperationObject['responses'][string]) {
  if (!('$ref' in response)) return response.headers
  return document.components.responses[response.$ref.split('/').at(-1)!].headers
}

test.group('Conditional writes', () => {
  test('the tag is strong, and follows the content of the resource: {$self}')
    .with(Object.keys(RESOURCES))
    .run(async ({ client, assert }, kind) => {
      const { bodies, write, tag, method } = await aResource(client, kind)
      const untouched = await tag()
      assert.match(untouched, /^"[\w-]{43}"$/)
      assert.equal(await tag(), untouched)
      const first = await write(bodies[0])
      first.assertStatus(200)
      assert.notEqual(await tag(), untouched)
      if (method !== 'patch') assert.equal(first.header('etag'), await tag())
    })

  test('a change based on an outdated state is refused: {$self}')
    .with(Object.keys(RESOURCES))
    .run(async ({ client, assert }, kind) => {
      const { bodies, write, tag, send, readable } = await aResource(client, kind)
      const seen = await tag()
      ;(await write(bodies[0], seen)).assertStatus(200)
      const present = await tag()
      for (const stale of [seen, `W/${present}`, '"none"', 'none', '""', '']) {
        const refused = await write(bodies[1], stale)
        refused.assertProblem(412, 'STALE')
        assert.equal(refused.header('etag'), present)
        if (readable) {
          const resource = (await send('get')).body().data
          // The level is the caller's, not part of the application.
          if (kind === 'application') delete resource.level
          assert.deepEqual(refused.body().details.current, resource)
        } else assert.equal(refused.body().details.current.name, 'First')
        assert.equal(await tag(), present)
      }
      ;(await write(bodies[1], `"none", ${present}`)).assertStatus(200)
      ;(await write(bodies[0], '*')).assertStatus(200)
      ;(await write(bodies[1])).assertStatus(200)
    })

  test('of two writers with the same tag, one wins: {$self}')
    .with(Object.keys(RESOURCES))
    .run(async ({ client, assert }, kind) => {
      for (let round = 0; round < 3; round++) {
        const { bodies, write, tag } = await aResource(client, kind)
        const seen = await tag()
        const responses = await Promise.all([write(bodies[0], seen), write(bodies[1], seen)])
        assert.sameMembers(
          responses.map((response) => response.status()),
          [200, 412]
        )
      }
    })

  test('a deletion based on an outdated state is refused: {$self}')
    .with(Object.keys(RESOURCES))
    .run(async ({ client }, kind) => {
      const { bodies, write, tag, send, deletable } = await aResource(client, kind)
      if (!deletable) return
      const seen = await tag()
      ;(await write(bodies[0])).assertStatus(200)
      ;(await send('delete', undefined, seen)).assertProblem(412, 'STALE')
      ;(await send('delete', undefined, await tag())).assertStatus(204)
    })

  test('the API description has the ETag header wherever it has If-Match', ({ assert }) => {
    const conditional = [...operations].filter(([, { operation }]) =>
      operation['x-errors'].includes('STALE')
    )
    assert.isNotEmpty(conditional)
    for (const [name, { operation }] of conditional) {
      assert.property(headersOf(operation.responses['412']), 'ETag', name)
      if (!name.startsWith('PUT')) continue
      assert.property(headersOf(operation.responses['200']), 'ETag', name)
    }
  })

  test('a change by a server based on an outdated state is refused', async ({ assert }) => {
    const application = await anApplication()
    const template = await aTemplate(application, await aType(application))
    await aVersion(template, 'en')
    const path = `/api/internal/notifications/templates/${template.id}`
    const texts = { subjectTemplate: 'Hello', bodyTemplate: '<p>Hello</p>' }
    const variables = [{ key: 'pin', required: false, sensitive: true }]
    const headers = { 'x-internal-api-key': INTERNAL_KEY }
    const stale = { ...headers, 'if-match': '"none"' }
    for (const [method, where, body] of [
      ['PUT', path, { name: 'Changed' }],
      ['PUT', `${path}/locales/en`, texts],
      ['DELETE', `${path}/locales/en`, undefined],
      ['DELETE', path, undefined],
    ] as const) {
      const refused = await sendBody(method, where, body && JSON.stringify(body), stale)
      assert.equal(refused.status, 412)
    }
    const changed = await sendBody('PUT', path, JSON.stringify({ variables }), headers)
    assert.containSubset(await changed.json(), { data: { variables } })
  })

  test('a language version that does not exist matches no tag', async ({ client, assert }) => {
    const application = await anApplication()
    const template = await aTemplate(application, await aType(application))
    const path = `/api/admin/notifications/templates/${template.id}/locales/cs`
    const token = await issuer.token(SUPER_ADMIN)
    const body = { subjectTemplate: 'Ahoj', bodyTemplate: '<p>Ahoj</p>' }
    for (const tag of ['*', `"${uniqueCode()}"`]) {
      const response = await client
        .put(path)
        .header('authorization', `Bearer ${token}`)
        .header('if-match', tag)
        .json(body)
      response.assertProblem(412, 'STALE')
      assert.isNull(response.body().details.current)
    }
    const missing = await client.get(path).header('authorization', `Bearer ${token}`)
    missing.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
  })
})
