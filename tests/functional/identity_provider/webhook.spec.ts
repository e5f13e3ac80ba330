import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import ApplicationPreference from '#app/profiles/models/application_preference'
import LoginRecord from '#app/profiles/models/login_record'
import SuperAdmin from '#app/permissions/models/super_admin'
import User from '#app/profiles/models/user'
import { allowed, inPath, manageApplication } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { minutesFromNow, namesOf, profileOf, webhook } from '#tests/helpers/profiles'
import type { ApiClient } from '@japa/api-client'
import { INTERNAL_KEY, WEBHOOK_SECRET } from '#tests/world/prepare'

const HANDLED = { success: true, data: { handled: true } }
const EVENTS = [
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.removed',
]

async function aPermittedPerson(client: ApiClient) {
  const email = uniqueEmail()
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const [permission, role] = [await manage.permission(), await manage.role()]
  await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
  await manage.userRoles(email, [role.id])
  return { email, check: { email, app: code, permission: permission.code } }
}

test.group('Webhook: effects', () => {
  test('a creation records the user with the names and ids of the provider', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const response = await webhook(client, {
      eventType: 'user.created',
      orgId: '300000000000000001',
      user: { id: '301122334455667788', email, firstName: 'Sinéad', lastName: "O'Neil" },
    })
    response.assertStatus(200)
    assert.deepEqual(response.body(), HANDLED)
    const user = await User.withEmail(email)
    assert.isTrue(user.active)
    assert.deepEqual([user.idpUserId, user.idpOrgId], ['301122334455667788', '300000000000000001'])
    assert.deepEqual(await namesOf(client, email), ['Sinéad', "O'Neil", "Sinéad O'Neil"])
  })

  test('a creation does not change a known user', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email).put('/api/profile/me', { firstName: 'Mine', theme: 'dark' })
    await webhook(client, { eventType: 'user.deactivated', user: { email } })
    const before = await profileOf(client, email)
    const user = { email, firstName: 'Other', lastName: 'Other' }
    const response = await webhook(client, { eventType: 'user.created', user })
    assert.deepEqual(response.body(), HANDLED)
    assert.deepEqual(await profileOf(client, email), before)
    assert.isFalse((await User.withEmail(email)).active)
  })

  test('a deactivation denies every check immediately and a reactivation allows them again', async ({
    assert,
    client,
  }) => {
    const { email, check } = await aPermittedPerson(client)
    assert.isTrue(await allowed(client, check))
    for (const [eventType, active] of [
      ['user.deactivated', false],
      ['user.deactivated', false],
      ['user.reactivated', true],
      ['user.removed', false],
      ['user.reactivated', true],
      ['user.reactivated', true],
    ] as const) {
      const response = await webhook(client, { eventType, user: { email } })
      response.assertStatus(200)
      assert.deepEqual(response.body(), HANDLED)
      assert.equal((await User.withEmail(email)).active, active, eventType)
      assert.equal(await allowed(client, check), active, eventType)
    }
  })

  test('a deactivation affects super admins and administrators, too', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const administrator = await anAdministratorOf(application)
    const superAdministrator = uniqueEmail()
    await SuperAdmin.create({ email: superAdministrator })
    for (const email of [administrator, superAdministrator]) {
      const person = signedIn(client, email)
      const check = { email, app: application.code, permission: 'anything' }
      const path = `/api/applications/${application.code}`
      assert.isTrue(await allowed(client, check))
      const before = await person.get(path)
      before.assertStatus(200)

      await webhook(client, { eventType: 'user.deactivated', user: { email } })
      assert.isFalse(await allowed(client, check))
      const refused = await person.get(path)
      refused.assertProblem(403, 'USER_INACTIVE')

      await webhook(client, { eventType: 'user.reactivated', user: { email } })
      const after = await person.get(path)
      after.assertStatus(200)
    }
  })

  test('{$self} of an unknown user is recorded, so that checks deny them from the start')
    .with(['user.deactivated', 'user.removed', 'user.deleted'])
    .run(async ({ assert, client }, eventType) => {
      const { email, check } = await aPermittedPerson(client)
      assert.isTrue(await allowed(client, check))
      const response = await webhook(client, { eventType, user: { email } })
      assert.deepEqual(response.body(), HANDLED)
      assert.isFalse((await User.withEmail(email)).active)
      assert.isFalse(await allowed(client, check))
    })

  test('a removal keeps the record, its preferences and its logins', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code } = await anApplication()
    await signedIn(client, email).get(`/api/profile/me/apps/${code}`)
    const before = await User.withEmail(email)
    const response = await webhook(client, { eventType: 'user.removed', user: { email } })
    assert.deepEqual(response.body(), HANDLED)

    const after = await User.withEmail(email)
    assert.equal(after.id, before.id)
    assert.isFalse(after.active)
    assert.lengthOf(await ApplicationPreference.query().where({ userId: after.id }), 1)
    assert.lengthOf(await LoginRecord.query().where({ email }), 1)
  })

  test('an update changes the names unless it is older than them', async ({ assert, client }) => {
    const email = uniqueEmail()
    const update = (firstName: string, occurredAt?: string) =>
      webhook(client, { eventType: 'user.updated', occurredAt, user: { email, firstName } })
    for (const [name, occurredAt, expected] of [
      ['First', minutesFromNow(-10).iso, 'First'],
      ['Older', minutesFromNow(-20).iso, 'First'],
      ['Newer', minutesFromNow(-5).iso, 'Newer'],
      ['Now', undefined, 'Now'],
      ['Late', minutesFromNow(-1).iso, 'Now'],
    ] as const) {
      const response = await update(name, occurredAt)
      assert.deepEqual(response.body(), HANDLED)
      assert.equal((await profileOf(client, email)).firstName, expected)
    }
  })

  test('any event names a user without names', async ({ assert, client }) => {
    for (const eventType of EVENTS) {
      const email = uniqueEmail()
      await webhook(client, { eventType, user: { email, firstName: 'Grace', displayName: 'G.' } })
      assert.deepEqual(await namesOf(client, email), ['Grace', null, 'G.'], eventType)
    }
  })

  test('a repeated event changes nothing more', async ({ assert, client }) => {
    for (const eventType of EVENTS) {
      const email = uniqueEmail()
      const event = {
        eventType,
        orgId: '1',
        occurredAt: minutesFromNow(-1).iso,
        user: { id: '2', email, firstName: 'Grace' },
      }
      await webhook(client, event)
      const before = (await User.withEmail(email)).$attributes
      for (let time = 0; time < 3; time++) {
        const response = await webhook(client, event)
        assert.deepEqual(response.body(), HANDLED)
      }
      assert.deepEqual((await User.withEmail(email)).$attributes, before, eventType)
      assert.lengthOf(await User.query().where({ email }), 1)
    }
  })

  test('20 concurrent creations record one user', async ({ assert, client }) => {
    const email = uniqueEmail()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        webhook(client, { eventType: 'user.created', orgId: '1', user: { email, firstName: 'G' } })
      )
    )
    responses.forEach((response) => response.assertStatus(200))
    assert.lengthOf(await User.query().where({ email }), 1)
  })

  test('all spellings of an address are one user', async ({ assert, client }) => {
    const email = uniqueEmail()
    await profileOf(client, email)
    const user = { email: ` ${email.toUpperCase()}` }
    await webhook(client, { eventType: 'user.deactivated', user })
    assert.isFalse((await User.withEmail(email)).active)
  })
})

test.group('Webhook: organisations mapped to an application', () => {
  const mappedShop = async () =>
    (await Application.findBy({ code: 'mapped-shop' })) ?? anApplication({ code: 'mapped-shop' })
  const created = (client: ApiClient, email: string, orgId?: string) =>
    webhook(client, { eventType: 'user.created', orgId, user: { email } })

  test('a creation adds a preference there and records no login', async ({ assert, client }) => {
    await mappedShop()
    const email = uniqueEmail()
    for (let time = 0; time < 2; time++) {
      const response = await created(client, email, 'org-of-shop')
      assert.deepEqual(response.body(), HANDLED)
    }
    const response = await signedIn(client, email).get('/api/profile/me/apps')
    assert.deepEqual(response.body().data, [
      {
        applicationCode: 'mapped-shop',
        showHelp: true,
        notificationsEnabled: true,
        firstLoginAt: null,
        lastLoginAt: null,
        loginCount: 0,
        lastActivityAt: null,
      },
    ])
    assert.isEmpty(await LoginRecord.query().where({ email }))
  })

  test('an existing preference is unchanged', async ({ assert, client }) => {
    await mappedShop()
    const person = signedIn(client, uniqueEmail())
    await person.get('/api/profile/me/apps/mapped-shop')
    await person.put('/api/profile/me/apps/mapped-shop', { showHelp: false })
    const before = (await person.get('/api/profile/me/apps')).body()
    await created(client, person.email, 'org-of-shop')
    assert.deepEqual((await person.get('/api/profile/me/apps')).body(), before)
  })

  test('other organisations and events create no preference', async ({ assert, client }) => {
    await mappedShop()
    for (const orgId of [undefined, '', 'org-of-nobody', 'toString', '__proto__']) {
      const email = uniqueEmail()
      const response = await created(client, email, orgId)
      assert.deepEqual(response.body(), HANDLED)
      const { data } = (await signedIn(client, email).get('/api/profile/me/apps')).body()
      assert.isEmpty(data)
    }
    const email = uniqueEmail()
    await webhook(client, { eventType: 'user.updated', orgId: 'org-of-shop', user: { email } })
    assert.isEmpty((await signedIn(client, email).get('/api/profile/me/apps')).body().data)
  })

  test('a missing application is not an error', async ({ assert, client }) => {
    await (await mappedShop()).delete()
    const email = uniqueEmail()
    const response = await created(client, email, 'org-of-shop')
    response.assertStatus(200)
    assert.isTrue((await User.withEmail(email)).active)
  })
})

test.group('Webhook: refused requests', () => {
  test('an unknown event type is accepted, so that it is not repeated', async ({
    assert,
    client,
  }) => {
    for (const eventType of [
      'user.locked',
      'user.human.added',
      'project.added',
      '',
      'toString',
      'x'.repeat(200),
    ]) {
      const email = uniqueEmail()
      const response = await webhook(client, { eventType, user: { email, firstName: 'Grace' } })
      response.assertStatus(200)
      assert.deepEqual(response.body(), { success: true, data: { handled: false } })
      assert.isNull(await User.findBy({ email }))
    }
  })

  test('a body without a valid address is 400 and creates no record', async ({
    assert,
    client,
  }) => {
    const before = await User.query().count('* as total')
    for (const eventType of EVENTS) {
      for (const user of [
        undefined,
        null,
        {},
        'ada@acme.example',
        { email: null },
        { email: '' },
        { email: 'nobody' },
        { email: 'a\u200bb@acme.example' },
        { email: `${'x'.repeat(300)}@acme.example` },
        { email: ['ada@acme.example'] },
      ]) {
        const response = await client
          .post('/api/idp/webhook')
          .header('x-webhook-secret', WEBHOOK_SECRET)
          .json({ eventType, user })
        response.assertProblem(400, 'VALIDATION_ERROR')
        assert.include(response.body().details.errors[0].field, 'user')
      }
    }
    const after = await User.query().count('* as total')
    assert.deepEqual(after[0].$extras, before[0].$extras)
  })

  test('a body without an event is 400', async ({ client }) => {
    for (const eventType of [undefined, null, 5, ['user.created']]) {
      const response = await client
        .post('/api/idp/webhook')
        .header('x-webhook-secret', WEBHOOK_SECRET)
        .json({ eventType, user: { email: uniqueEmail() } })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'eventType' }] })
    }
  })

  test('an invalid time is 400', async ({ assert, client }) => {
    for (const occurredAt of ['yesterday', '2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z']) {
      const email = uniqueEmail()
      const response = await webhook(client, {
        eventType: 'user.updated',
        occurredAt,
        user: { email },
      })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'occurredAt' }] })
      assert.isNull(await User.findBy({ email }))
    }
  })

  test('a wrong or missing secret is 401 and changes nothing', async ({ assert, client }) => {
    const email = uniqueEmail()
    await profileOf(client, email)
    const event = { eventType: 'user.removed', user: { email } }
    const send = () => client.post('/api/idp/webhook').json(event)
    const responses = [
      await send(),
      await send().header('x-webhook-secret', ''),
      await send().header('x-webhook-secret', `${WEBHOOK_SECRET}x`),
      await send().header('x-webhook-secret', WEBHOOK_SECRET.toUpperCase()),
      await send().header('x-webhook-secret', INTERNAL_KEY),
      await send().header('x-internal-api-key', INTERNAL_KEY),
      await send().header('authorization', `Bearer ${WEBHOOK_SECRET}`),
      await superAdmin(client).post('/api/idp/webhook', event),
    ]
    for (const response of responses) {
      response.assertProblem(401, 'UNAUTHENTICATED')
      response.assertHeader('www-authenticate')
    }
    assert.isTrue((await User.withEmail(email)).active)
  })

  test('the secret gives no other access', async ({ client }) => {
    const response = await client
      .get(`/api/users/${inPath(uniqueEmail())}`)
      .header('x-webhook-secret', WEBHOOK_SECRET)
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})
