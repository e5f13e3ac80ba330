import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import { TIMESTAMP, inPath } from '#tests/helpers/management'
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

const adminsOf = (appCode: string) => `/api/users/admins/apps/${appCode}`

test.group('Application administrators', () => {
  test('an added administrator is listed', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const empty = await admin.get(adminsOf(code))
    empty.assertStatus(200)
    empty.assertBody({ success: true, data: [] })

    const email = uniqueEmail()
    const response = await admin.post(adminsOf(code), { email })
    response.assertStatus(201)
    const { createdAt } = response.body().data
    assert.match(createdAt, TIMESTAMP)
    response.assertBody({
      success: true,
      data: { email, application: code, createdAt, ...ALWAYS_ACTIVE },
    })
    const second = await admin.post(adminsOf(code), { email: uniqueEmail() })
    const list = await admin.get(adminsOf(code))
    list.assertStatus(200)
    list.assertBody({ success: true, data: [response.body().data, second.body().data] })
    assert.isNull(await User.findBy('email', email))
  })

  test('adding an existing administrator changes nothing', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const email = uniqueEmail()
    const first = await admin.post(adminsOf(code), { email })
    const second = await admin.post(adminsOf(code), { email: ` ${email.toUpperCase()} ` })
    second.assertStatus(200)
    assert.deepEqual(second.body(), first.body())
    const list = await admin.get(adminsOf(code))
    assert.lengthOf(list.body().data, 1)
  })

  test('of many concurrent requests, one creates the entry and all return it', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const email = uniqueEmail()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => admin.post(adminsOf(code), { email }))
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [...Array.from({ length: 7 }, () => 200), 201])
    for (const response of responses) assert.deepEqual(response.body(), responses[0].body())
  })

  test('a removed administrator loses all access immediately', async ({ client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const person = signedIn(client, email)
    const before = await person.get(`/api/applications/${application.code}`)
    before.assertStatus(200)
    const response = await superAdmin(client).delete(`${adminsOf(application.code)}/${email}`)
    response.assertStatus(204)
    const after = await person.get(`/api/applications/${application.code}`)
    after.assertProblem(403, 'FORBIDDEN')
    const again = await superAdmin(client).delete(`${adminsOf(application.code)}/${email}`)
    again.assertProblem(404, 'ADMINISTRATOR_NOT_FOUND')
  })

  test('the administrator of another application is not found and is not affected', async ({
    client,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const email = await anAdministratorOf(other)
    const response = await superAdmin(client).delete(`${adminsOf(mine.code)}/${email}`)
    response.assertProblem(404, 'ADMINISTRATOR_NOT_FOUND')
    const kept = await signedIn(client, email).get(`/api/applications/${other.code}`)
    kept.assertStatus(200)
  })

  test('an administrator can add and remove others, but only in their own application', async ({
    client,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const person = signedIn(client, await anAdministratorOf(mine))
    const email = uniqueEmail()
    const made = await person.post(adminsOf(mine.code), { email })
    made.assertStatus(201)
    const removed = await person.delete(`${adminsOf(mine.code)}/${inPath(email)}`)
    removed.assertStatus(204)
    const refused = [
      await person.get(adminsOf(other.code)),
      await person.post(adminsOf(other.code), { email }),
      await person.delete(`${adminsOf(other.code)}/${email}`),
      await person.post(adminsOf('auth'), { email: person.email }),
    ]
    for (const response of refused) response.assertProblem(403, 'FORBIDDEN')
  })

  test('a view level can read, an edit level can change', async ({ client }) => {
    const { code } = await anApplication()
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const read = await viewer.get(adminsOf(code))
    read.assertStatus(200)
    const refused = await viewer.post(adminsOf(code), { email: viewer.email })
    refused.assertProblem(403, 'FORBIDDEN')
    const editor = signedIn(client, await panelPerson(client, { [code]: 'edit' }))
    const accepted = await editor.post(adminsOf(code), { email: uniqueEmail() })
    accepted.assertStatus(201)
  })

  test('an invalid e-mail address is refused: {what}')
    .with<{ what: string; email: unknown }[]>([
      { what: 'nothing', email: undefined },
      { what: 'null', email: null },
      { what: 'a number', email: 5 },
      { what: 'a list', email: ['a@tests.example'] },
      { what: 'a word', email: 'ada' },
      { what: 'no local part', email: '@tests.example' },
      { what: 'no domain', email: 'ada@' },
      { what: 'two addresses', email: 'ada@tests.example, bob@tests.example' },
      { what: 'a name around it', email: 'Ada <ada@tests.example>' },
      { what: 'a zero-width character', email: 'a\u200bda@tests.example' },
      { what: 'a NUL character', email: 'ada\u0000@tests.example' },
      { what: 'a line break', email: 'ada@tests.example\nbcc: x@y.example' },
      { what: 'more than 254 characters', email: `ada@${'tests.'.repeat(50)}example` },
    ])
    .run(async ({ client, assert }, { email }) => {
      const { code } = await anApplication()
      const admin = superAdmin(client)
      const response = await admin.post(adminsOf(code), { email })
      response.assertProblem(400, 'VALIDATION_ERROR')
      const list = await admin.get(adminsOf(code))
      assert.deepEqual(list.body().data, [])
    })

  test('an unknown application is not found', async ({ client }) => {
    const path = adminsOf(uniqueCode())
    const email = uniqueEmail()
    const admin = superAdmin(client)
    const responses = [
      await admin.get(path),
      await admin.post(path, { email }),
      await admin.delete(`${path}/${email}`),
    ]
    for (const response of responses) response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
