import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import type Application from '#app/applications/models/application'
import { createUser } from '#app/profiles/actions/ensure_user'
import ApplicationPreference from '#app/profiles/models/application_preference'
import SuperAdmin from '#app/permissions/models/super_admin'
import type User from '#app/profiles/models/user'
import db from '@adonisjs/lucid/services/db'
import { inPath, manageApplication } from '#tests/helpers/management'
import { allPages } from '#tests/helpers/pages'
import { subscribe } from '#tests/helpers/deliveries'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'
import { Browser } from '#tests/world/push_service'
import { panelPerson } from '#tests/helpers/panel_people'

interface Item {
  id: number | null
  email: string
  active: boolean | null
  lastLoginAt: string | null
}

const START = DateTime.fromISO('2026-03-01T00:00:00.000Z', { zone: 'utc' })

/** Users whose addresses have a word in common. */
function people() {
  const word = `w${randomUUID().replaceAll('-', '')}`
  return {
    word,
    address: (name: string) => `${name}${word}@tests.example`,
    async recorded(name: string, minute = 0) {
      const user = await createUser({ email: `${name}${word}@tests.example` }, db.connection())
      await user.merge({ createdAt: START.plus({ minutes: minute }) }).save()
      return user
    },
  }
}

async function login(user: User, application: Application, minute: number) {
  const at = START.plus({ minutes: minute })
  const key = { userId: user.id, applicationId: application.id }
  const fields = { showHelp: true, notificationsEnabled: true, loginCount: 1 }
  const times = { firstLoginAt: at, lastLoginAt: at, lastActivityAt: at }
  await ApplicationPreference.create({ ...key, ...fields, ...times })
}

async function holder(client: ApiClient, email: string, { code }: Application) {
  const manage = manageApplication(client, code)
  await manage.userRoles(email, [(await manage.role()).id])
}

/** Reads pages of two users and of one, which must agree. */
async function listed(client: ApiClient, query: string, as = superAdmin(client)) {
  const pages = await allPages<Item>(as.get, `/api/users?${query}&limit=2`)
  const single = await allPages<Item>(as.get, `/api/users?${query}&limit=1`)
  const names = (items: Item[]) => items.map(({ email }) => email.split(/w[0-9a-f]{32}/)[0])
  if (names(pages.items).join() !== names(single.items).join()) {
    throw new Error(`${names(pages.items)} differs from ${names(single.items)}`)
  }
  return names(pages.items)
}

test.group('Order of users', () => {
  test('is by id, then users without a record by address', async ({ assert, client }) => {
    const { word, address, recorded } = people()
    const application = await anApplication()
    for (const name of ['c', 'a']) await recorded(name)
    for (const name of ['z', 'b']) await holder(client, address(name), application)
    assert.deepEqual(await listed(client, `search=${word}`), ['c', 'a', 'b', 'z'])
    assert.deepEqual(await listed(client, `search=${word}&sort=id`), ['c', 'a', 'b', 'z'])
  })

  test('can be by address, with and without a record', async ({ assert, client }) => {
    const { word, address, recorded } = people()
    const application = await anApplication()
    for (const name of ['d', 'a', 'c']) await recorded(name)
    for (const name of ['e', 'b']) await holder(client, address(name), application)
    const sorted = await listed(client, `search=${word}&sort=email`)
    assert.deepEqual(sorted, ['a', 'b', 'c', 'd', 'e'])
  })

  test('can be by creation, the newest first', async ({ assert, client }) => {
    const { word, address, recorded } = people()
    await recorded('old', 1)
    await recorded('new', 3)
    await recorded('first', 2)
    await recorded('second', 2)
    await holder(client, address('without'), await anApplication())
    const sorted = await listed(client, `search=${word}&sort=-createdAt`)
    assert.deepEqual(sorted, ['new', 'second', 'first', 'old', 'without'])
  })

  test('can be by the last login, the latest first', async ({ assert, client }) => {
    const { word, address, recorded } = people()
    const [one, other] = [await anApplication(), await anApplication()]
    const [never, early, late, same] = [
      await recorded('never'),
      await recorded('early'),
      await recorded('late'),
      await recorded('same'),
    ]
    await holder(client, address('without'), one)
    await login(early, one, 5)
    await login(late, one, 1)
    await login(late, other, 9)
    for (const application of [one, other]) await login(same, application, 5)
    await applicationEvent(client, { email: never.email, appCode: one.code, event: 'activity' })
    const sorted = await listed(client, `search=${word}&sort=-lastLoginAt`)
    assert.deepEqual(sorted, ['late', 'same', 'early', 'never', 'without'])
    const admin = signedIn(client, await anAdministratorOf(one))
    const seen = await listed(client, `search=${word}&sort=-lastLoginAt`, admin)
    assert.deepEqual(seen, ['same', 'early', 'late', 'never', 'without'])
  })

  test('refuses another order and cursors of another order', async ({ client }) => {
    const admin = superAdmin(client)
    for (const sort of ['name', '-email', '', 'createdAt']) {
      const response = await admin.get(`/api/users?sort=${sort}`)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'sort' }] })
    }
    const cursorOf = (...values: unknown[]) =>
      Buffer.from(JSON.stringify(values)).toString('base64url')
    for (const [sort, cursor] of [
      ['email', cursorOf('records', 3, null, null)],
      ['id', cursorOf('records', null, null, null)],
      ['id', cursorOf('records', 2 ** 60, null, null)],
      ['id', cursorOf('records', -1, null, null)],
      ['id', cursorOf('toString', 1, 'a', 'b')],
      ['email', cursorOf('everyone', null, 'a\u0000', null)],
      ['-createdAt', cursorOf('newest', 3, null, 'yesterday')],
      ['-createdAt', cursorOf('newest', 3, null, '2026-02-31T99:00:00.000Z')],
      ['-createdAt', cursorOf('newest', 3, null, '2026-02-30T00:00:00.000Z')],
      ['-createdAt', cursorOf('newest', 3, null, '0000-01-01T00:00:00.000Z')],
      ['id', Buffer.from('{}').toString('base64url')],
      ['id', 'x'.repeat(513)],
    ]) {
      const response = await admin.get(`/api/users?sort=${sort}&cursor=${cursor}`)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'cursor' }] })
    }
  })
})

test.group('Users without a record', () => {
  test('are listed once if they hold anything', async ({ assert, client, cleanup }) => {
    const { word, address, recorded } = people()
    const application = await anApplication()
    const manage = manageApplication(client, application.code)
    const permission = await manage.permission()
    const admin = superAdmin(client)
    await recorded('recorded')
    await holder(client, address('role'), application)
    await manage.overrides(
      address('override'),
      ['document', '1'],
      [{ permissionId: permission.id, granted: false }]
    )
    await manage.administrator(address('admin'))
    await manage.administrator(address('role'))
    await SuperAdmin.create({ email: address('super') })
    cleanup(
      () =>
        SuperAdmin.query()
          .where({ email: address('super') })
          .delete() as never
    )
    const response = await admin.get(`/api/users?search=${word}`)
    const shown = response.body().data.slice(1)
    assert.deepEqual(
      shown.map(({ email, id, active }: Item) => [email, id, active]),
      ['admin', 'override', 'role', 'super'].map((name) => [address(name), null, null])
    )
    const inApplication = await listed(client, `search=${word}&appCode=${application.code}`)
    assert.deepEqual(inApplication, ['admin', 'override', 'role'])
    assert.deepEqual(await listed(client, `search=${word}&active=true`), ['recorded'])
    assert.deepEqual(await listed(client, `search=${word}&active=false`), [])
  })

  test('are found by a role, with and without a record', async ({ assert, client }) => {
    const { word, address, recorded } = people()
    const [application, other] = [await anApplication(), await anApplication()]
    const manage = manageApplication(client, application.code)
    const role = await manage.role()
    for (const name of ['recorded', 'unrecorded']) await manage.userRoles(address(name), [role.id])
    await recorded('recorded')
    await recorded('stranger')
    await manage.administrator(address('admin'))
    await holder(client, address('otherrole'), application)
    const query = `search=${word}&appCode=${application.code}&role=${role.code}`
    for (const sort of ['id', 'email', '-createdAt', '-lastLoginAt']) {
      const found = await listed(client, `${query}&sort=${sort}`)
      assert.deepEqual(found, ['recorded', 'unrecorded'], sort)
    }
    assert.deepEqual(await listed(client, `${query}&active=true`), ['recorded'])
    const counted = await superAdmin(client).get(`/api/users?${query}&count=true&limit=1`)
    assert.equal(counted.header('x-total-count'), '2')
    const elsewhere = `search=${word}&appCode=${other.code}&role=${role.code}`
    assert.deepEqual(await listed(client, elsewhere), [])
    const alone = await superAdmin(client).get(`/api/users?role=${role.code}`)
    alone.assertProblem(400, 'VALIDATION_ERROR')
    assert.equal(alone.body().details.errors[0].field, 'appCode')
    const foreign = signedIn(client, await anAdministratorOf(other))
    ;(await foreign.get(`/api/users?${query}`)).assertProblem(403, 'FORBIDDEN')
  })

  test('are visible only to those who can see what they hold', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { word, address } = people()
    const [own, hidden] = [await anApplication(), await anApplication()]
    await holder(client, address('own'), own)
    await holder(client, address('hidden'), hidden)
    await SuperAdmin.create({ email: address('super') })
    cleanup(
      () =>
        SuperAdmin.query()
          .where({ email: address('super') })
          .delete() as never
    )
    const admin = signedIn(client, await anAdministratorOf(own))
    for (const sort of ['id', 'email', '-createdAt', '-lastLoginAt']) {
      assert.deepEqual(await listed(client, `search=${word}&sort=${sort}`, admin), ['own'])
    }
    const seen = await admin.get(`/api/users/${inPath(address('own'))}`)
    seen.assertStatus(200)
    assert.containSubset(seen.body().data, { id: null, active: null, superAdmin: null })
    for (const name of ['hidden', 'super']) {
      const response = await admin.get(`/api/users/${inPath(address(name))}`)
      response.assertProblem(404, 'USER_NOT_FOUND')
    }
    const all = await superAdmin(client).get(`/api/users/${inPath(address('super'))}`)
    assert.isTrue(all.body().data.superAdmin)
  })
})

test.group('Details of a user', () => {
  test('contain assignments, preferences and push subscriptions', async ({ assert, client }) => {
    const [own, hidden] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    await signedIn(client, email).put('/api/profile/me', { firstName: 'Ada', locale: 'cs' })
    const roles: string[] = []
    for (const { code } of [own, hidden]) {
      const manage = manageApplication(client, code)
      const role = await manage.role()
      roles.push(role.code)
      await manage.userRoles(email, [role.id])
      await manage.administrator(email)
      const { id } = await manage.permission()
      const denial = [{ permissionId: id, granted: false }]
      for (const resource of ['1', '2']) {
        await manage.overrides(email, ['document', resource], denial)
      }
      await applicationEvent(client, { email, appCode: code, event: 'login' })
    }
    await subscribe(email, new Browser('https://push.example'))
    const path = `/api/users/${inPath(email)}`
    const everything = (await superAdmin(client).get(path)).body().data
    assert.containSubset(everything, { firstName: 'Ada', locale: 'cs', brand: 'default' })
    assert.deepEqual(everything.roles, [
      { appCode: own.code, roleCodes: [roles[0]] },
      { appCode: hidden.code, roleCodes: [roles[1]] },
    ])
    assert.deepEqual(everything.administratorOf, [own.code, hidden.code])
    assert.deepEqual(everything.overrides, [
      { appCode: own.code, count: 2 },
      { appCode: hidden.code, count: 2 },
    ])
    assert.isFalse(everything.superAdmin)
    assert.equal(everything.pushSubscriptions, 1)
    assert.containSubset(everything.preferences, [
      { applicationCode: own.code, showHelp: true, loginCount: 1 },
      { applicationCode: hidden.code },
    ])
    const admin = signedIn(client, await anAdministratorOf(own))
    const seen = (await admin.get(path)).body().data
    assert.deepEqual(seen.roles, [everything.roles[0]])
    assert.deepEqual(seen.administratorOf, [own.code])
    assert.deepEqual(seen.overrides, [everything.overrides[0]])
    assert.isNull(seen.superAdmin)
    assert.lengthOf(seen.preferences, 1)
    assert.equal(seen.lastLoginAt, everything.applications[0].lastLoginAt)
    assert.notInclude(JSON.stringify(seen), hidden.code)
  })
})

test.group('Preferences of another user', () => {
  const pathOf = (email: string, appCode: string) =>
    `/api/users/${inPath(email)}/apps/${appCode}/preferences`

  test('are read with the defaults and not created', async ({ assert, client }) => {
    const [application, email] = [await anApplication(), uniqueEmail()]
    const { id: userId } = await createUser({ email }, db.connection())
    const response = await superAdmin(client).get(pathOf(email, application.code))
    response.assertStatus(200)
    assert.deepEqual(response.body().data, {
      applicationCode: application.code,
      showHelp: true,
      notificationsEnabled: true,
      firstLoginAt: null,
      lastLoginAt: null,
      loginCount: 0,
      lastActivityAt: null,
    })
    assert.isNull(await ApplicationPreference.findBy({ userId }))
  })

  test('are changed without a trace of activity', async ({ assert, client }) => {
    const [application, email] = [await anApplication(), uniqueEmail()]
    await createUser({ email }, db.connection())
    const admin = signedIn(client, await anAdministratorOf(application))
    const path = pathOf(email, application.code)
    const response = await admin.put(path, { notificationsEnabled: false })
    response.assertStatus(200)
    assert.containSubset(response.body().data, {
      showHelp: true,
      notificationsEnabled: false,
      firstLoginAt: null,
      lastLoginAt: null,
      loginCount: 0,
      lastActivityAt: null,
    })
    assert.deepEqual((await admin.get(path)).body(), response.body())
    const records = await admin.get(`/api/users/${inPath(email)}/login-records`)
    assert.isEmpty(records.body().data)
    for (const fields of [{ showHelp: 'no' }, { notificationsEnabled: 0 }]) {
      const refused = await admin.put(path, fields)
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('do not tell a viewer who is registered', async ({ assert, client }) => {
    const { code } = await anApplication()
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const registered = uniqueEmail()
    await createUser({ email: registered }, db.connection())
    const [known, unknown] = [
      await viewer.get(pathOf(registered, code)),
      await viewer.get(pathOf(uniqueEmail(), code)),
    ]
    known.assertStatus(200)
    unknown.assertStatus(200)
    assert.deepEqual(unknown.body().data, known.body().data)
  })

  test('need a known user and the application', async ({ client }) => {
    const [own, hidden] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const admin = signedIn(client, await anAdministratorOf(own))
    const unknown = [
      await admin.get(pathOf(email, own.code)),
      await admin.put(pathOf(email, own.code), { showHelp: false }),
    ]
    for (const response of unknown) response.assertProblem(404, 'USER_NOT_FOUND')
    await createUser({ email }, db.connection())
    const foreign = [
      await admin.get(pathOf(email, hidden.code)),
      await admin.put(pathOf(email, hidden.code), { showHelp: false }),
    ]
    for (const response of foreign) response.assertProblem(403, 'FORBIDDEN')
    const missing = await superAdmin(client).get(pathOf(email, 'no-such-application'))
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
