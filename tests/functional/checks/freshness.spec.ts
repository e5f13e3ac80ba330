import { test } from '@japa/runner'
import type { ApiResponse } from '@japa/api-client'
import { saveAccessChange } from '#core/changes/access_changes'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import UserRole from '#app/permissions/models/user_role'
import { pathIn } from '#tests/access/scene'
import { aShop } from '#tests/functional/checks/shop'
import { inPath } from '#tests/helpers/management'
import { superAdmin } from '#tests/helpers/people'
import { replicaLists } from '#tests/helpers/replica_lists'
import { INTERNAL_KEY, SUPER_ADMIN, issuer } from '#tests/world/prepare'

const FAR = '999999999'
const GARBAGE = ['-1', '1.5', 'latest', '', '1e3', '9'.repeat(16), '1, 2']

const ROUTES: [path: string, body: object][] = [
  ['', { permission: 'export' }],
  ['bulk', { permissions: ['export'] }],
  ['effective', {}],
  ['explain', { permission: 'export' }],
  ['search/permissions', {}],
  ['search/resources', { permission: 'export', resourceType: 'order' }],
  ['search/subjects', { permission: 'export' }],
]
const FOR_ADMINISTRATORS = ['effective', 'explain', 'search/subjects']

/** Removes all roles like a process that this one does not hear from. @returns the revision */
async function revokeUnheard(email: string, application: string): Promise<number> {
  return transaction(async (trx) => {
    await UserRole.query({ client: trx }).where({ email }).delete()
    return saveAccessChange([{ email, application }], trx)
  })
}

function revisionOf(response: ApiResponse): number {
  const header = response.header('concierge-revision') as string | undefined
  return Number(header ?? Number.NaN)
}

test.group('Freshness of decisions', () => {
  test('a change has a later revision than the one before, and the next check reflects it', async ({
    client,
    assert,
  }) => {
    const { app, email, clerk } = await aShop(client)
    const body = { email, app, permission: 'export' }
    const roles = `/api/users/${inPath(email)}/apps/${app}/roles`
    const replace = async (roleIds: number[]) => {
      const response = await superAdmin(client).put(roles, { roleIds })
      response.assertStatus(200)
      return revisionOf(response)
    }
    const [revoked, granted] = [await replace([]), await replace([clerk.id])]
    assert.isAbove(granted, revoked)
    const check = await client.post('/api/check').json(body)
    assert.isAtLeast(revisionOf(check), granted)
    assert.isTrue(check.body().data.allowed)
  })

  test('what changes no decision has no revision', async ({ client, assert }) => {
    const { app } = await aShop(client)
    const renamed = await superAdmin(client).put(`/api/applications/${app}`, { name: 'Renamed' })
    renamed.assertStatus(200)
    assert.isNaN(revisionOf(renamed))
  })

  test('a change that this process did not hear of is reflected on request', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 5; round++) {
      const { app, email } = await aShop(client)
      const body = { email, app, permission: 'export' }
      assert.isTrue((await client.post('/api/check').json(body)).body().data.allowed)
      const revision = await revokeUnheard(email, app)
      const fresh = await client
        .post('/api/check')
        .header('concierge-at-least', String(revision))
        .json(body)
      fresh.assertStatus(200)
      assert.isFalse(fresh.body().data.allowed)
      assert.isAtLeast(revisionOf(fresh), revision)
    }
  })

  test('{path}: honours a required revision and refuses any other value')
    .with([
      ...ROUTES.map(([path, body]) => ({ path: `/api/check/${path}`, body })),
      ...ROUTES.filter(([path]) => !path.endsWith('subjects')).map(([path, body]) => ({
        path: `/api/profile/me/check/${path}`,
        body,
      })),
      ...ROUTES.filter(([path]) => FOR_ADMINISTRATORS.includes(path)).map(([path, body]) => ({
        path: `/api/applications/:app/access/${path}`,
        body,
      })),
    ])
    .run(async ({ client, assert }, { path, body }) => {
      const { app, email } = await aShop(client)
      const token = await issuer.token(path.startsWith('/api/profile') ? email : SUPER_ADMIN)
      const subject = path.endsWith('/subjects') || path.startsWith('/api/profile') ? {} : { email }
      const ask = (atLeast: string) =>
        client
          .post(path.replace(':app', app).replace(/\/$/, ''))
          .header('concierge-at-least', atLeast)
          .header('authorization', `Bearer ${token}`)
          .json({ ...subject, ...(!path.includes(':app') && { app }), ...body })
      const known = await ask('0')
      known.assertStatus(200)
      assert.isAtLeast(revisionOf(known), 1)

      const unknown = await ask(FAR)
      unknown.assertStatus(409)
      unknown.assertBodyContains({ code: 'REVISION_UNKNOWN' })
      assert.isBelow(unknown.body().details.latest, Number(FAR))

      for (const garbage of GARBAGE) {
        const refused = await ask(garbage)
        refused.assertStatus(400)
        const [{ field, rule }] = refused.body().details.errors
        assert.deepEqual([field, rule], ['concierge-at-least', 'revision'])
      }
    })

  test('lists honour a required revision and refuse any other value', async ({
    client,
    assert,
  }) => {
    const { app, email } = await aShop(client)
    const application = await Application.withCode(app)
    const scene = { client, application, email, listEndpoint: '', named: new Map() }
    const token = await issuer.reusedToken(SUPER_ADMIN)
    for (const pattern of replicaLists()) {
      const path = await pathIn(scene, pattern)
      const list = (atLeast?: string) =>
        client
          .get(path)
          .qs({ appCode: app })
          .header('authorization', `Bearer ${token}`)
          .header('x-internal-api-key', INTERNAL_KEY)
          .headers(atLeast === undefined ? {} : { 'concierge-at-least': atLeast })
      for (const atLeast of [undefined, '0']) {
        const known = await list(atLeast)
        assert.equal(known.status(), 200, path)
        assert.isAtLeast(revisionOf(known), 1, path)
      }
      const unknown = await list(FAR)
      assert.equal(unknown.status(), 409, path)
      assert.equal(unknown.body().code, 'REVISION_UNKNOWN')
      const refused = await list('latest')
      assert.equal(refused.status(), 400, path)
      assert.equal(refused.body().details.errors[0].field, 'concierge-at-least')
    }
  })

  test('AuthZEN {endpoint}: honours a required revision and refuses any other value')
    .with([
      { endpoint: 'evaluation', parts: ['subject', 'action', 'resource'] },
      { endpoint: 'evaluations', parts: ['subject', 'action', 'resource'] },
      { endpoint: 'search/subject', parts: ['action', 'resource'] },
      { endpoint: 'search/resource', parts: ['subject', 'action'] },
      { endpoint: 'search/action', parts: ['subject', 'resource'] },
    ])
    .run(async ({ client, assert }, { endpoint, parts }) => {
      const { app, email } = await aShop(client)
      const question: Record<string, object> = {
        subject: { type: 'user', id: email },
        action: { name: 'export' },
        resource: { type: 'order', id: '1' },
      }
      const body = Object.fromEntries(parts.map((part) => [part, question[part]]))
      if (endpoint === 'search/subject') body.subject = { type: 'user' }
      if (endpoint === 'search/resource') body.resource = { type: 'order' }
      const ask = (atLeast: string) =>
        client
          .post(`/api/authzen/${app}/access/v1/${endpoint}`)
          .header('concierge-at-least', atLeast)
          .json(body)
      const known = await ask('0')
      known.assertStatus(200)
      assert.isAtLeast(revisionOf(known), 1)
      const unknown = await ask(FAR)
      unknown.assertStatus(409)
      assert.include(unknown.text(), 'REVISION_UNKNOWN')
      for (const garbage of GARBAGE) (await ask(garbage)).assertStatus(400)
    })
})
