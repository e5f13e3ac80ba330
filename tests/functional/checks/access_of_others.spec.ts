import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Application from '#app/applications/models/application'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { ORDER_1, aShop } from '#tests/functional/checks/shop'

const access = (app: string, question: string) => `/api/applications/${app}/access/${question}`

async function aViewerOf(client: ApiClient, app: string) {
  return signedIn(client, await panelPerson(client, { [app]: 'view' }))
}

test.group('Access of others', () => {
  test('a viewer gets the explanation that servers get', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const viewer = await aViewerOf(client, app)
    const questions = [
      { permission: 'orders' },
      { permission: 'orders', level: 'edit' },
      { permission: 'export', ...ORDER_1 },
      { permission: 'nothing-like-it' },
    ]
    for (const question of questions) {
      const internal = await client.post('/api/check/explain').json({ email, app, ...question })
      const response = await viewer.post(access(app, 'explain'), {
        email: email.toUpperCase(),
        ...question,
      })
      response.assertStatus(200)
      assert.deepEqual(response.body(), { success: true, data: internal.body().data })
    }
  })

  test('a viewer gets the effective permissions that servers get', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const viewer = await aViewerOf(client, app)
    for (const resource of [{}, ORDER_1]) {
      const internal = await client.post('/api/check/effective').json({ email, app, ...resource })
      const response = await viewer.post(access(app, 'effective'), { email, ...resource })
      response.assertStatus(200)
      assert.deepEqual(response.body(), { success: true, data: internal.body().data })
    }
  })

  test('nothing reveals what the user holds in other applications', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const other = await aShop(client)
    await other.shop.userRoles(email, [other.clerk.id])
    await addApplicationAdmin(email, other.app)
    const viewer = await aViewerOf(client, app)
    for (const question of ['explain', 'effective']) {
      const response = await viewer.post(access(app, question), { email, permission: 'audit' })
      response.assertStatus(200)
      assert.notInclude(response.text(), other.app)
    }
  })

  test('the application of the path decides, whatever the body names', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await aShop(client), await aShop(client)]
    const viewer = await aViewerOf(client, mine.app)
    const body = { email: other.email, app: other.app, permission: 'orders' }
    const explained = await viewer.post(access(mine.app, 'explain'), body)
    assert.isFalse(explained.body().data.allowed)
    const effective = await viewer.post(access(mine.app, 'effective'), body)
    assert.isTrue(effective.body().data.every(({ granted }: any) => !granted))
  })

  test('others are refused, whether or not the application exists', async ({ client }) => {
    const { app, email, shop } = await aShop(client)
    const body = { email, permission: 'orders' }
    const member = signedIn(client, email)
    const otherAdmin = signedIn(client, await anAdministratorOf(await anApplication()))
    await shop.administrator(uniqueEmail())
    for (const question of ['explain', 'effective']) {
      for (const caller of [member, otherAdmin]) {
        ;(await caller.post(access(app, question), body)).assertProblem(403, 'FORBIDDEN')
        const unknown = await caller.post(access(uniqueCode(), question), body)
        unknown.assertProblem(403, 'FORBIDDEN')
      }
      const unknown = await superAdmin(client).post(access(uniqueCode(), question), body)
      unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
  })

  test('the panel itself is explained to global panel admins only', async ({ client, assert }) => {
    const panel = await Application.withCode('auth')
    const body = { email: uniqueEmail(), permission: 'applications.manage' }
    const response = await superAdmin(client).post(access(panel.code, 'explain'), body)
    response.assertStatus(200)
    assert.isFalse(response.body().data.allowed)
    const admin = signedIn(client, await anAdministratorOf(await anApplication()))
    ;(await admin.post(access(panel.code, 'explain'), body)).assertProblem(403, 'FORBIDDEN')
  })

  test('a question without a user or permission is refused', async ({ client }) => {
    const { app, email } = await aShop(client)
    const viewer = await aViewerOf(client, app)
    const cases: [string, object, string][] = [
      ['explain', { permission: 'orders' }, 'email'],
      ['explain', { email: 'nobody', permission: 'orders' }, 'email'],
      ['explain', { email }, 'permission'],
      ['explain', { email, permission: 'orders', level: 'all' }, 'level'],
      ['effective', {}, 'email'],
      ['effective', { email, resourceType: 7 }, 'resourceType'],
    ]
    for (const [question, body, field] of cases) {
      const response = await viewer.post(access(app, question), body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
  })
})
