import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { parse } from 'csv-parse/sync'
import Application from '#app/applications/models/application'
import { sealAll } from '#tests/helpers/audit_chain'
import { inPath, manageApplication } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { credentials, sendBody, serviceUrl } from '#tests/helpers/send'
import { INTERNAL_KEY, SUPER_ADMIN, issuer } from '#tests/world/prepare'

const PATH = '/api/admin/audit'

/** A request of the super admin, with more headers. */
async function send(
  client: ApiClient,
  method: 'get' | 'post' | 'put',
  path: string,
  headers: Record<string, string>,
  body?: object
) {
  // Get the token first, because awaiting a request sends it.
  const token = await issuer.token(SUPER_ADMIN)
  const request = client[method](path).header('authorization', `Bearer ${token}`)
  for (const [name, value] of Object.entries(headers)) void request.header(name, value)
  return body === undefined ? await request : await request.json(body)
}

test.group('Audit entries', () => {
  test('say who changed what, from where and why', async ({ assert, client }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role({ name: 'Clerk' })
    const admin = superAdmin(client)
    const reason = Buffer.from('Úklid, viz T-1').toString('latin1')
    const headers = { 'x-request-id': 'a-request', 'x-audit-reason': reason }
    const path = `/api/applications/${code}/roles/${role.id}`
    const all = { ...(await credentials('token')), ...headers }
    const response = await sendBody('PUT', path, JSON.stringify({ name: 'Seller' }), all)
    assert.equal(response.status, 200)
    const { data } = (await admin.get(`${PATH}?application=${code}&action=role.updated`)).body()
    assert.lengthOf(data, 1)
    assert.containSubset(data[0], {
      actor: { kind: 'user', email: SUPER_ADMIN, name: null },
      action: 'role.updated',
      application: code,
      target: { kind: 'role', id: String(role.id), label: role.code },
      before: { name: 'Clerk' },
      after: { name: 'Seller' },
      requestId: 'a-request',
      address: '127.0.0.1',
      reason: 'Úklid, viz T-1',
    })
  })

  test('are left out if nothing changes', async ({ assert, client }) => {
    const { code } = await anApplication()
    const role = await manageApplication(client, code).role({ name: 'Clerk' })
    const admin = superAdmin(client)
    await admin.put(`/api/applications/${code}/roles/${role.id}`, { name: 'Clerk' })
    const { data } = (await admin.get(`${PATH}?application=${code}&action=role.updated`)).body()
    assert.isEmpty(data)
  })

  test('about a user are listed for the user', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [role, permission] = [await manage.role(), await manage.permission()]
    const email = uniqueEmail()
    await manage.userRoles(email, [role.id])
    await manage.overrides(email, ['doc', '1'], [{ permissionId: permission.id, granted: false }])
    await manage.administrator(email)
    const { data } = (await superAdmin(client).get(`/api/users/${inPath(email)}/audit`)).body()
    const always = { validFrom: null, validUntil: null }
    assert.deepEqual(
      data.map(({ action, before, after }: any) => ({ action, before, after })),
      [
        { action: 'application_admin.added', before: null, after: always },
        {
          action: 'user.overrides_replaced',
          before: { 'doc/1': {} },
          after: {
            'doc/1': {
              [permission.code]: { granted: false, accessLevel: null, condition: null, ...always },
            },
          },
        },
        { action: 'user.roles_replaced', before: {}, after: { [role.code]: always } },
      ]
    )
  })

  test('of a server name its key', async ({ assert, client }) => {
    const { code } = await anApplication()
    const { code: entity } = await manageApplication(client, code).entity()
    const response = await client
      .put(`/api/internal/applications/${code}/entities/${entity}/resources`)
      .header('x-internal-api-key', INTERNAL_KEY)
      .json({ resources: [{ resourceId: '1', label: 'One' }] })
    response.assertStatus(200)
    const list = await superAdmin(client).get(`${PATH}?application=${code}&actorKind=server`)
    const [entry] = list.body().data
    assert.equal(entry.actor.kind, 'server')
    assert.isNotEmpty(entry.actor.name)
    assert.deepEqual(entry.after, { 1: { label: 'One', properties: {} } })
  })

  test('are shown to administrators of their application only', async ({ assert, client }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const [mine, theirs] = [uniqueCode('mine'), uniqueCode('theirs')]
    await manageApplication(client, own.code).role({ code: mine })
    await manageApplication(client, other.code).role({ code: theirs })
    const admin = signedIn(client, await anAdministratorOf(own))
    const { data } = (await admin.get(`${PATH}?targetKind=role`)).body()
    assert.deepEqual(
      data.map(({ target }: any) => target.label),
      [mine]
    )
    const foreign = await admin.get(`${PATH}?application=${other.code}`)
    foreign.assertProblem(403, 'FORBIDDEN')
    const head = await admin.get(`${PATH}/head`)
    head.assertProblem(403, 'FORBIDDEN')
  })

  test('show their place in the chain only to those who see all of it', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const role = await manageApplication(client, application.code).role()
    await manageApplication(client, application.code).userRoles(email, [role.id])
    await sealAll()
    const admin = await anAdministratorOf(application)
    const token = await issuer.token(admin)
    const places = (entry: any) => [entry.sequence, entry.hash, entry.salt]
    for (const path of [
      `${PATH}?action=role.created&application=${application.code}`,
      `/api/users/${inPath(email)}/audit`,
    ]) {
      const [all] = (await superAdmin(client).get(path)).body().data
      assert.match(all.hash, /^[\da-f]{64}$/)
      assert.match(all.salt, /^[\da-f]{32}$/)
      assert.isNumber(all.sequence)
      const [own] = (await signedIn(client, admin).get(path)).body().data
      assert.deepEqual(own, { ...all, sequence: null, hash: null, salt: null })
      const exported = async (accept: string) => {
        const headers = { authorization: `Bearer ${token}`, accept }
        return (await fetch(`${serviceUrl()}${path}`, { headers })).text()
      }
      const [row] = parse(await exported('text/csv'), { columns: true })
      assert.deepEqual(places(row), ['', '', ''])
      const line = JSON.parse((await exported('application/x-ndjson')).split('\n')[0])
      assert.deepEqual(places(line), [null, null, null])
    }
  })

  test('of a deleted application are hidden from the administrators of its successor', async ({
    assert,
    client,
  }) => {
    const former = await anApplication()
    await manageApplication(client, former.code).role()
    const deleted = await superAdmin(client).delete(`/api/applications/${former.code}`)
    deleted.assertStatus(204)
    const successor = await Application.create({
      code: former.code,
      name: 'New',
      supportedLanguages: [],
      membership: 'open',
    })
    const admin = signedIn(client, await anAdministratorOf(successor))
    const { data } = (await admin.get(`${PATH}?application=${former.code}`)).body()
    assert.notIncludeMembers(
      data.map(({ action }: any) => action),
      ['role.created', 'application.deleted']
    )
    const all = await superAdmin(client).get(`${PATH}?application=${former.code}`)
    assert.includeMembers(
      all.body().data.map(({ action }: any) => action),
      ['role.created', 'application.deleted']
    )
  })

  test('are exported as CSV, in which no text is a formula', async ({ assert, client }) => {
    const { code } = await anApplication()
    await manageApplication(client, code).role({ code: 'seller', name: '=1+1' })
    const path = `${PATH}?application=${code}&targetKind=role`
    const response = await send(client, 'get', path, { accept: 'text/csv' })
    assert.match(response.header('content-type')!, /^text\/csv/)
    const [row] = parse(response.text(), { columns: true }) as Record<string, string>[]
    assert.containSubset(row, { action: 'role.created', targetLabel: 'seller', redacted: 'false' })
    assert.containSubset(JSON.parse(row.after), { name: '=1+1' })
  })

  test('are exported as newline-delimited JSON', async ({ assert, client }) => {
    const { code } = await anApplication()
    await manageApplication(client, code).role()
    await manageApplication(client, code).role()
    const admin = superAdmin(client)
    const query = `${PATH}?application=${code}&targetKind=role`
    const headers = { ...(await credentials('token')), accept: 'application/x-ndjson' }
    const response = await fetch(`${serviceUrl()}${query}`, { headers })
    assert.match(response.headers.get('content-type')!, /^application\/x-ndjson/)
    const lines = (await response.text()).trimEnd().split('\n')
    assert.lengthOf(lines, 2)
    const { data } = (await admin.get(query)).body()
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      data.map(({ id }: any) => id)
    )
  })

  test('have a reason of at most 500 characters, or nothing changes', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const path = `/api/applications/${code}/roles`
    const post = (length: number) =>
      send(client, 'post', path, { 'x-audit-reason': 'x'.repeat(length) }, { code: 'seller' })
    const refused = await post(501)
    refused.assertProblem(400, 'VALIDATION_ERROR')
    assert.isEmpty((await admin.get(path)).body().data)
    const accepted = await post(500)
    accepted.assertStatus(201)
  })

  for (const [name, value] of [
    ['action', 'role.invented'],
    ['actorKind', 'nobody'],
    ['actor', 'not an address'],
    ['from', 'yesterday'],
    ['cursor', 'forged'],
    ['limit', '1000'],
  ]) {
    test(`refuse ${name}=${value}`, async ({ client }) => {
      const response = await superAdmin(client).get(`${PATH}?${name}=${value}`)
      response.assertProblem(400, 'VALIDATION_ERROR')
    })
  }

  test('are shortened if a change is large', async ({ assert, client }) => {
    const { code } = await anApplication()
    const { id, code: entity } = await manageApplication(client, code).entity()
    const resources = Array.from({ length: 200 }, (_, index) => ({
      resourceId: String(index),
      properties: { text: 'x'.repeat(2_000) },
    }))
    const path = `/api/applications/${code}/entities/${id}/resources`
    const saved = await superAdmin(client).put(path, { resources })
    saved.assertStatus(200)
    const list = await superAdmin(client).get(`${PATH}?application=${code}&action=resources.saved`)
    const [{ after, target }] = list.body().data
    assert.equal(target.label, entity)
    assert.lengthOf(Object.keys(after), 200)
    assert.match(after[7].sha256, /^[\da-f]{64}$/)
    assert.isAbove(after[7].length, 2_000)
  })
})
