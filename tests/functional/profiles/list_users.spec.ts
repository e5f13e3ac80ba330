import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import type User from '#app/profiles/models/user'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { TIMESTAMP, inPath, lifecycleEvent, manageApplication } from '#tests/helpers/management'
import { allPages, nextPage } from '#tests/helpers/pages'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { applicationEvent } from '#tests/helpers/profiles'

interface UserBody {
  id: number
  email: string
  active: boolean
}

interface Person {
  firstName?: string
  lastName?: string
  displayName?: string
}

/** A word that occurs in no other test. */
const uniqueWord = () => `w${randomUUID().replaceAll('-', '')}`

async function aPerson(email: string, names: Person = {}) {
  const user = await ensureUser({ email })
  await user.merge(names).save()
  return user
}

test.group('List of users', () => {
  test('contains user records with statistics per application', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code } = await anApplication()
    await applicationEvent(client, { email, appCode: code, event: 'login' })
    const response = await superAdmin(client).get(`/api/users?search=${inPath(email)}`)

    response.assertStatus(200)
    assert.isTrue(response.body().success)
    const [user, ...others] = response.body().data
    assert.isEmpty(others)
    assert.sameMembers(Object.keys(user), [
      'id',
      'email',
      'active',
      'idpUserId',
      'idpOrgId',
      'createdAt',
      'updatedAt',
      'firstName',
      'lastName',
      'displayName',
      'locale',
      'brand',
      'lastLoginAt',
      'applications',
    ])
    assert.containSubset(user, { email, active: true, idpUserId: null, idpOrgId: null })
    assert.containSubset(user, { firstName: null, locale: null, brand: 'default' })
    assert.equal(user.displayName, email.split('@')[0])
    assert.equal(user.lastLoginAt, user.applications[0].lastLoginAt)
    assert.match(user.createdAt, TIMESTAMP)
    const [statistics] = user.applications
    assert.sameMembers(Object.keys(statistics), [
      'applicationCode',
      'firstLoginAt',
      'lastLoginAt',
      'loginCount',
      'lastActivityAt',
    ])
    assert.containSubset(statistics, { applicationCode: code, loginCount: 1 })
    assert.match(statistics.firstLoginAt, TIMESTAMP)
  })

  test('searches any part of address and names, ignoring case', async ({ assert, client }) => {
    const word = uniqueWord()
    const people = [
      await aPerson(`x${word}y@tests.example`),
      await aPerson(uniqueEmail(), { firstName: `Ann ${word.toUpperCase()}` }),
      await aPerson(uniqueEmail(), { lastName: `${word}ová` }),
      await aPerson(uniqueEmail(), { displayName: `The ${word}` }),
    ]
    await aPerson(uniqueEmail(), { firstName: word.slice(0, -1) })
    for (const search of [word, word.toUpperCase(), word.slice(0, -1) + word.slice(-1)]) {
      const response = await superAdmin(client).get(`/api/users?search=${search}`)
      assert.deepEqual(
        response.body().data.map(({ id }: UserBody) => id),
        people.map(({ id }) => id)
      )
    }
  })

  test('ignores the case of letters beyond ASCII', async ({ assert, client }) => {
    for (const name of ['Žofie Čeňková', 'ŽOFIE ČEŇKOVÁ', 'žofie čeňková']) {
      const word = uniqueWord()
      const { id } = await aPerson(uniqueEmail(), { displayName: `${name} ${word}` })
      for (const search of ['Žofie Čeňková', 'žofie čeňková', 'ŽOFIE ČEŇKOVÁ']) {
        const query = inPath(`${search} ${word}`)
        const response = await superAdmin(client).get(`/api/users?search=${query}`)
        assert.deepEqual(
          response.body().data.map((user: UserBody) => user.id),
          [id],
          `${search} for ${name}`
        )
      }
    }
  })

  test('searches literally for wildcards, quotes and backslashes', async ({ assert, client }) => {
    const word = uniqueWord()
    const special = ['%', '_', '\\', "'", '"', '*', '?', '[a]', '\\%', '%%', '$1', ':x', ' ']
    await aPerson(uniqueEmail(), { firstName: `${word}x${word}` })
    for (const text of special) {
      const { id } = await aPerson(uniqueEmail(), { displayName: `${word}${text}${word}` })
      const search = inPath(`${word}${text}${word}`)
      const response = await superAdmin(client).get(`/api/users?search=${search}`)
      response.assertStatus(200)
      assert.deepEqual(
        response.body().data.map((user: UserBody) => user.id),
        [id],
        text
      )
    }
  })

  test('can be filtered by application', async ({ assert, client }) => {
    const { code } = await anApplication()
    const [visitor, seller, both, stranger] = await Promise.all(
      Array.from({ length: 4 }, () => aPerson(uniqueEmail()))
    )
    const manage = manageApplication(client, code)
    const role = await manage.role()
    for (const { email } of [visitor, both]) {
      await applicationEvent(client, { email, appCode: code, event: 'activity' })
    }
    for (const { email } of [seller, both]) await manage.userRoles(email, [role.id])
    await applicationEvent(client, {
      email: stranger.email,
      appCode: (await anApplication()).code,
      event: 'login',
    })

    const response = await superAdmin(client).get(`/api/users?appCode=${code}`)
    assert.sameMembers(
      response.body().data.map(({ email }: UserBody) => email),
      [visitor.email, seller.email, both.email]
    )
    const searched = await superAdmin(client).get(
      `/api/users?appCode=${code}&search=${inPath(both.email)}`
    )
    assert.lengthOf(searched.body().data, 1)
  })

  test('is empty for an unknown application', async ({ assert, client }) => {
    const response = await superAdmin(client).get('/api/users?appCode=no-such-application')
    response.assertStatus(200)
    assert.isEmpty(response.body().data)
  })

  test('can be filtered by active state', async ({ assert, client }) => {
    const word = uniqueWord()
    const [active, inactive] = [`a${word}@tests.example`, `b${word}@tests.example`]
    await aPerson(active)
    await lifecycleEvent(client, 'user.deactivated', inactive)
    for (const [query, expected] of [
      ['active=true', [active]],
      ['active=1', [active]],
      ['active=false', [inactive]],
      ['active=0', [inactive]],
    ] as const) {
      const response = await superAdmin(client).get(`/api/users?search=${word}&${query}`)
      assert.deepEqual(
        response.body().data.map(({ email }: UserBody) => email),
        [...expected],
        query
      )
    }
    for (const value of ['yes', '', '2', 'TRUE', 'null']) {
      const response = await superAdmin(client).get(`/api/users?active=${value}`)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'active' }] })
    }
  })

  test('is paged by id and keeps the filters', async ({ assert, client }) => {
    const word = uniqueWord()
    const people: User[] = []
    for (let number = 0; number < 5; number++) {
      people.push(await aPerson(`${number}${word}@tests.example`))
    }
    await lifecycleEvent(client, 'user.deactivated', people[2].email)
    const { get } = superAdmin(client)
    const path = `/api/users?search=${word}&active=true&limit=2`
    const first = await get(path)
    assert.include(nextPage(first)!, `search=${word}`)
    const { items, sizes } = await allPages<UserBody>(get, path)
    assert.deepEqual(sizes, [2, 2])
    assert.deepEqual(
      items.map(({ id }) => id),
      [0, 1, 3, 4].map((number) => people[number].id)
    )
  })

  test('refuses an invalid limit, cursor or search', async ({ client }) => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['limit=2e9', 'limit'],
      ['cursor=x', 'cursor'],
      [`search=${'x'.repeat(255)}`, 'search'],
      ['search=%00', 'search'],
      ['search=a&search=b', 'search'],
      ['search[a]=b', 'search'],
      ['appCode[]=b', 'appCode'],
    ]) {
      const response = await superAdmin(client).get(`/api/users?${query}`)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
  })

  test('requires an administrator', async ({ client }) => {
    const administrator = await anAdministratorOf(await anApplication())
    const response = await signedIn(client, administrator).get('/api/users?limit=1')
    response.assertStatus(200)
    const plain = await signedIn(client, uniqueEmail()).get('/api/users')
    plain.assertProblem(403, 'FORBIDDEN')
    const anonymous = await client.get('/api/users')
    anonymous.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('refuses a deactivated administrator', async ({ client }) => {
    const administrator = await anAdministratorOf(await anApplication())
    await lifecycleEvent(client, 'user.deactivated', administrator)
    const response = await signedIn(client, administrator).get('/api/users')
    response.assertProblem(403, 'USER_INACTIVE')
  })
})
