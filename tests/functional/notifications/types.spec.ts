import { test } from '@japa/runner'
import env from '#start/env'
import NotificationType from '#app/notifications/models/notification_type'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const DEFAULTS = {
  emailEnabled: true,
  pushEnabled: true,
  userCanDisable: true,
  defaultEmail: true,
  defaultPush: true,
  selfServiceEnabled: true,
  urgent: false,
  digest: null,
  system: false,
  emailFromName: null,
}

const typesPath = (appCode: string) => `/api/admin/notifications/types/${appCode}`

test.group('Notification types', () => {
  test('include the type generic in a new application', async ({ assert, client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).get(typesPath(code))
    response.assertStatus(200)
    assert.lengthOf(response.body().data, 1)
    response.assertBodyContains({ success: true, data: [{ code: 'generic', ...DEFAULTS }] })
  })

  test('start with the defaults', async ({ assert, client }) => {
    const application = await anApplication()
    const admin = signedIn(client, await anAdministratorOf(application))
    const response = await admin.post(typesPath(application.code), { code: 'order', name: 'Order' })
    response.assertStatus(201)
    const { id, ...rest } = response.body().data
    assert.isAbove(id, 0)
    assert.deepEqual(rest, { code: 'order', name: 'Order', description: null, ...DEFAULTS })
    const read = await admin.get(`${typesPath(application.code)}/order`)
    assert.deepEqual(read.body(), response.body())
  })

  test('change only in the fields that are sent, and never in code and system', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const type = await aType(application, { description: 'Before' })
    const path = `${typesPath(application.code)}/${type.code}`
    const response = await superAdmin(client).put(path, {
      code: 'other',
      system: true,
      pushEnabled: false,
      emailFromName: 'Orders',
    })
    response.assertStatus(200)
    assert.containSubset(response.body().data, {
      ...DEFAULTS,
      code: type.code,
      description: 'Before',
      pushEnabled: false,
      emailFromName: 'Orders',
    })
  })

  test('have a unique code in their application, also with concurrent requests', async ({
    assert,
    client,
  }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const responses = await Promise.all(
      [1, 2, 3].map(() => admin.post(typesPath(code), { code: 'order', name: 'Order' }))
    )
    assert.deepEqual(responses.map((response) => response.status()).sort(), [201, 409, 409])
    responses
      .filter((response) => response.status() === 409)
      .forEach((response) => response.assertProblem(409, 'NOTIFICATION_TYPE_EXISTS'))
  })

  test('cannot be deleted if they are generic or system types', async ({ client }) => {
    const application = await anApplication()
    const system = await aType(application)
    await system.merge({ system: true }).save()
    const admin = superAdmin(client)
    for (const code of ['generic', system.code]) {
      const response = await admin.delete(`${typesPath(application.code)}/${code}`)
      response.assertProblem(409, 'TYPE_PROTECTED')
    }
  })

  test('keep the switches of a system type, whose texts can change', async ({ client }) => {
    const application = await anApplication()
    const system = await aType(application, { pushEnabled: false })
    await system.merge({ system: true }).save()
    const path = `${typesPath(application.code)}/${system.code}`
    const admin = superAdmin(client)
    const refused = await admin.put(path, { pushEnabled: true })
    refused.assertProblem(409, 'TYPE_PROTECTED')
    const accepted = await admin.put(path, { pushEnabled: false, emailFromName: 'Security' })
    accepted.assertStatus(200)
  })

  test('are deleted with their templates', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(application, type)
    await aVersion(template, 'en')
    const admin = superAdmin(client)
    const response = await admin.delete(`${typesPath(application.code)}/${type.code}`)
    response.assertStatus(204)
    assert.isNull(await NotificationType.find(type.id))
    const locales = await admin.get(`/api/admin/notifications/templates/${template.id}/locales`)
    locales.assertProblem(404, 'TEMPLATE_NOT_FOUND')
  })

  test('are 404 if the application or the type is unknown', async ({ client }) => {
    const { code } = await anApplication()
    const other = await anApplication()
    const foreign = await aType(other)
    const admin = superAdmin(client)
    const unknown = await admin.get(typesPath(uniqueCode()))
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
    for (const type of ['nope', foreign.code, '__proto__']) {
      const responses = await Promise.all([
        admin.get(`${typesPath(code)}/${type}`),
        admin.put(`${typesPath(code)}/${type}`, { name: 'X' }),
        admin.delete(`${typesPath(code)}/${type}`),
      ])
      responses.forEach((response) => response.assertProblem(404, 'NOTIFICATION_TYPE_NOT_FOUND'))
    }
  })

  test('are rejected with the invalid field: {field}')
    .with([
      { field: 'code', body: { name: 'X' } },
      { field: 'code', body: { code: 'a b', name: 'X' } },
      { field: 'code', body: { code: '__proto__', name: 'X' } },
      { field: 'name', body: { code: 'a' } },
      { field: 'name', body: { code: 'a', name: '  ' } },
      { field: 'emailEnabled', body: { code: 'a', name: 'X', emailEnabled: 'true' } },
      { field: 'defaultPush', body: { code: 'a', name: 'X', defaultPush: 1 } },
      { field: 'userCanDisable', body: { code: 'a', name: 'X', userCanDisable: [true] } },
      { field: 'emailFromName', body: { code: 'a', name: 'X', emailFromName: 'A\r\nBcc: b' } },
      { field: 'emailFromName', body: { code: 'a', name: 'X', emailFromName: 'A\u2028B' } },
      { field: 'description', body: { code: 'a', name: 'X', description: 5 } },
    ])
    .run(async ({ client }, { field, body }) => {
      const { code } = await anApplication()
      const response = await superAdmin(client).post(typesPath(code), body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    })

  test('cannot be read or changed without a panel level', async ({ client }) => {
    const application = await anApplication()
    const stranger = signedIn(client, uniqueEmail())
    const path = typesPath(application.code)
    const responses = await Promise.all([
      stranger.get(path),
      stranger.post(path, { code: 'x', name: 'X' }),
      stranger.get(`${path}/generic`),
      stranger.put(`${path}/generic`, { name: 'X' }),
      stranger.delete(`${path}/generic`),
    ])
    responses.forEach((response) => response.assertProblem(403, 'FORBIDDEN'))
    const anonymous = await client.get(path)
    anonymous.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('can be listed by other services', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const key = env.get('INTERNAL_API_KEY')!.split(',')[0]
    const list = (appCode?: string) =>
      client
        .get('/api/internal/notifications/types')
        .qs(appCode === undefined ? {} : { appCode })
        .header('x-internal-api-key', key)
    const response = await list(application.code)
    response.assertStatus(200)
    assert.deepEqual(
      response.body().data.map(({ code }: { code: string }) => code),
      ['generic', type.code]
    )
    const without = await list()
    without.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'appCode' }] })
    const unknown = await list(uniqueCode())
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const noKey = await client.get('/api/internal/notifications/types').qs({ appCode: 'x' })
    noKey.assertProblem(401, 'UNAUTHENTICATED')
  })
})
