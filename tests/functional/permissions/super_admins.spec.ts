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
import { ALWAYS_ACTIVE } from '#tests/helpers/windows'

const ADMINS = '/api/users/admins'

const superAdmins = async () => (await SuperAdmin.query().orderBy('id')).map(({ email }) => email)

type Cleanup = (restore: () => Promise<void>) => void

/**
 * Makes these users the only super admins until the test ends.
 *
 * @returns a function that replaces them
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
  test('an added super admin is listed', async ({ client, assert, cleanup }) => {
    const email = uniqueEmail('super')
    cleanup(async () => {
      await SuperAdmin.query().where('email', email).delete()
    })
    const admin = superAdmin(client)
    const response = await admin.post(ADMINS, { email })
    response.assertStatus(201)
    const { createdAt } = response.body().data
    assert.match(createdAt, TIMESTAMP)
    response.assertBody({ success: true, data: { email, createdAt, ...ALWAYS_ACTIVE } })
    const list = await admin.get(ADMINS)
    list.assertStatus(200)
    assert.deepEqual(Object.keys(list.body()), ['success', 'data'])
    assert.deepEqual(list.body().data.at(-1), response.body().data)
    assert.isNull(await User.findBy('email', email))
  })

  test('adding an existing super admin changes nothing', async ({ client, assert, cleanup }) => {
    const email = await anotherSuperAdmin(client, cleanup)
    const admin = superAdmin(client)
    const list = await admin.get(ADMINS)
    const again = await admin.post(ADMINS, { email: email.toUpperCase() })
    again.assertStatus(200)
    assert.deepEqual(again.body().data, list.body().data.at(-1))
    assert.lengthOf((await admin.get(ADMINS)).body().data, list.body().data.length)
  })

  test('of many concurrent requests, one creates the entry', async ({
    client,
    assert,
    cleanup,
  }) => {
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

  test('access starts and ends with the next request', async ({ client, cleanup }) => {
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

  test('an unknown super admin is not found', async ({ client }) => {
    const response = await superAdmin(client).delete(`${ADMINS}/${uniqueEmail()}`)
    response.assertProblem(404, 'ADMINISTRATOR_NOT_FOUND')
  })

  test('the last super admin cannot be removed, even by themselves', async ({
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

  test('one of two super admins cannot remove themselves', async ({ client, assert, cleanup }) => {
    const [first, second] = [uniqueEmail('super'), uniqueEmail('super')]
    await onlySuperAdmins(cleanup, [first, second])
    const response = await signedIn(client, first).delete(`${ADMINS}/${first}`)
    response.assertProblem(409, 'OWN_SUPER_ADMIN')
    assert.deepEqual(await superAdmins(), [first, second])
  })

  test('the last active super admin cannot be removed, an inactive one can', async ({
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

  test('of two super admins who remove each other concurrently, one remains', async ({
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
      // 403: the slower one was no longer a super admin when the request was authorized.
      assert.oneOf(statuses.join(' '), ['204 409', '204 403'])
      assert.lengthOf(await superAdmins(), 1)
    }
  })

  test('only super admins can read and change the list', async ({ client, assert, cleanup }) => {
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

  test('an inactive super admin has no access until reactivated', async ({ client, cleanup }) => {
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

  test('an invalid e-mail address is refused', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const before = await superAdmins()
    for (const email of [undefined, null, '', 'root', 'a@b', 5, {}, ['a@tests.example']]) {
      const response = await admin.post(ADMINS, { email })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'email' }] })
    }
    assert.deepEqual(await superAdmins(), before)
  })
})
