import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import SuperAdmin from '#app/permissions/models/super_admin'
import User from '#app/profiles/models/user'
import { TIMESTAMP, lifecycleEvent } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'

const ADMINS = '/api/users/admins'

const superAdmins = async () => (await SuperAdmin.query().orderBy('id')).map(({ email }) => email)

type Cleanup = (restore: () => Promise<void>) => void

/**
 * Leaves these people as the only super admins until the test is over; all other tests share one.
 *
 * @returns what makes others the only ones
 */
async function onlySuperAdmins(cleanup: Cleanup, emails: string[]) {
  const usual = await superAdmins()
  const replace = async (people: string[]) => {
    await SuperAdmin.query().delete()
    await SuperAdmin.createMany(people.map((email) => ({ email })))
  }
  cleanup(() => replace(usual))
  await replace(emails)
  return replace
}

/** A super admin for one test. */
async function anotherSuperAdmin(client: ApiClient, cleanup: Cleanup) {
  const email = uniqueEmail('super')
  cleanup(async () => {
    await SuperAdmin.query().where('email', email).delete()
  })
  const response = await superAdmin(client).post(ADMINS, { email })
  response.assertStatus(201)
  return email
}

test.group('Super admins', () => {
  test('somebody becomes one and is listed', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail('super')
    cleanup(async () => {
      await SuperAdmin.query().where('email', email).delete()
    })
    const admin = superAdmin(client)
    const response = await admin.post(ADMINS, { email })
    response.assertStatus(201)
    const { createdAt } = response.body().data
    assert.match(createdAt, TIMESTAMP)
    response.assertBody({ success: true, data: { email, createdAt } })
    const list = await admin.get(ADMINS)
    list.assertStatus(200)
    assert.deepEqual(Object.keys(list.body()), ['success', 'data'])
    assert.deepEqual(list.body().data.at(-1), response.body().data)
    assert.isNull(await User.findBy('email', email))
  })

  test('somebody who is one already stays one, with the same answer', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = await anotherSuperAdmin(client, cleanup)
    const admin = superAdmin(client)
    const list = await admin.get(ADMINS)
    const again = await admin.post(ADMINS, { email: email.toUpperCase() })
    again.assertStatus(200)
    assert.deepEqual(again.body().data, list.body().data.at(-1))
    assert.lengthOf((await admin.get(ADMINS)).body().data, list.body().data.length)
  })

  test('of many requests at once, one creates', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail('super')
    cleanup(async () => {
      await SuperAdmin.query().where('email', email).delete()
    })
    const admin = superAdmin(client)
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => admin.post(ADMINS, { email }))
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 201])
    for (const response of responses) assert.deepEqual(response.body(), responses[0].body())
  })

  test('rights come and go with the next request', async ({ client, cleanup }) => {
    const { code } = await anApplication()
    const email = uniqueEmail('super')
    const person = signedIn(client, email)
    const before = await person.get(`/api/applications/${code}`)
    before.assertProblem(403, 'FORBIDDEN')
    cleanup(async () => {
      await SuperAdmin.query().where('email', email).delete()
    })
    await superAdmin(client).post(ADMINS, { email })
    const meanwhile = await person.get(`/api/applications/${code}`)
    meanwhile.assertStatus(200)
    const removed = await superAdmin(client).delete(`${ADMINS}/${email}`)
    removed.assertStatus(204)
    const after = await person.get(`/api/applications/${code}`)
    after.assertProblem(403, 'FORBIDDEN')
  })

  test('somebody who is none cannot be removed', async ({ client }) => {
    const response = await superAdmin(client).delete(`${ADMINS}/${uniqueEmail()}`)
    response.assertProblem(404, 'ADMINISTRATOR_NOT_FOUND')
  })

  test('the last one stays, also when they remove themselves', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail('super')
    await onlySuperAdmins(cleanup, [email])
    const response = await signedIn(client, email).delete(`${ADMINS}/${email}`)
    response.assertProblem(409, 'LAST_SUPER_ADMIN')
    assert.deepEqual(await superAdmins(), [email])
  })

  test('one of two may remove themselves', async ({ client, assert, cleanup }) => {
    const [first, second] = [uniqueEmail('super'), uniqueEmail('super')]
    await onlySuperAdmins(cleanup, [first, second])
    const response = await signedIn(client, first).delete(`${ADMINS}/${first}`)
    response.assertStatus(204)
    assert.deepEqual(await superAdmins(), [second])
  })

  test('the last active one stays, an inactive one beside them may go', async ({
    client,
    assert,
    cleanup,
  }) => {
    const [active, inactive] = [uniqueEmail('super'), uniqueEmail('super')]
    await onlySuperAdmins(cleanup, [active, inactive])
    await lifecycleEvent(client, 'user.deactivated', inactive)
    const person = signedIn(client, active)
    const kept = await person.delete(`${ADMINS}/${active}`)
    kept.assertProblem(409, 'LAST_SUPER_ADMIN')
    const removed = await person.delete(`${ADMINS}/${inactive}`)
    removed.assertStatus(204)
    assert.deepEqual(await superAdmins(), [active])
  })

  test('of two who remove each other at the same time, one stays', async ({
    client,
    assert,
    cleanup,
  }) => {
    const [first, second] = [uniqueEmail('super'), uniqueEmail('super')]
    const makeSuperAdmins = await onlySuperAdmins(cleanup, [first, second])
    for (let round = 0; round < 5; round++) {
      await makeSuperAdmins([first, second])
      const responses = await Promise.all([
        signedIn(client, first).delete(`${ADMINS}/${second}`),
        signedIn(client, second).delete(`${ADMINS}/${first}`),
      ])
      const statuses = responses.map((response) => response.status()).sort()
      // 403: the slower one was no super admin any more when they asked.
      assert.oneOf(statuses.join(' '), ['204 409', '204 403'])
      assert.lengthOf(await superAdmins(), 1)
    }
  })

  test('of many who remove themselves at the same time, one stays', async ({
    client,
    assert,
    cleanup,
  }) => {
    const emails = Array.from({ length: 6 }, () => uniqueEmail('super'))
    await onlySuperAdmins(cleanup, emails)
    const responses = await Promise.all(
      emails.map((email) => signedIn(client, email).delete(`${ADMINS}/${email}`))
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [204, 204, 204, 204, 204, 409])
    assert.lengthOf(await superAdmins(), 1)
  })

  test('nobody else reads or changes them', async ({ client, assert, cleanup }) => {
    const email = await anotherSuperAdmin(client, cleanup)
    const before = await superAdmins()
    for (const other of [
      uniqueEmail(),
      await anAdministratorOf(await anApplication()),
      await panelPerson(client, {}, { globally: 'edit' }),
      await panelPerson(client, { auth: 'edit' }),
    ]) {
      const person = signedIn(client, other)
      const refused = [
        await person.get(ADMINS),
        await person.post(ADMINS, { email: other }),
        await person.delete(`${ADMINS}/${email}`),
      ]
      for (const response of refused) response.assertProblem(403, 'FORBIDDEN')
    }
    assert.deepEqual(await superAdmins(), before)
  })

  test('a deactivated one has no rights until they are active again', async ({
    client,
    cleanup,
  }) => {
    const email = await anotherSuperAdmin(client, cleanup)
    const person = signedIn(client, email)
    await lifecycleEvent(client, 'user.deactivated', email)
    const refused = [
      await person.get(ADMINS),
      await person.post('/api/applications', { code: uniqueCode(), name: 'Mine' }),
    ]
    for (const response of refused) response.assertProblem(403, 'USER_INACTIVE')
    await lifecycleEvent(client, 'user.reactivated', email)
    const restored = await person.get(ADMINS)
    restored.assertStatus(200)
  })

  test('what is no e-mail address is refused', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const before = await superAdmins()
    for (const email of [undefined, null, '', 'root', 'a@b', 5, {}, ['a@tests.example']]) {
      const response = await admin.post(ADMINS, { email })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'email' }] })
    }
    assert.deepEqual(await superAdmins(), before)
  })
})
