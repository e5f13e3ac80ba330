import { test } from '@japa/runner'
import NotificationPreference from '#app/notifications/models/notification_preference'
import NotificationType from '#app/notifications/models/notification_type'
import { aType } from '#tests/helpers/deliveries'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const PATH = '/api/profile/me/notifications'
const PREFERENCES = `${PATH}/preferences`

/** The preference of a type with the defaults of `aType`. */
const itemOf = ({ id, code }: NotificationType, fields: object = {}) => ({
  notificationTypeId: id,
  code,
  name: 'A type',
  description: null,
  emailEnabled: true,
  pushEnabled: true,
  userCanDisable: true,
  email: true,
  push: true,
  digest: 'off',
  digestChoices: ['off'],
  ...fields,
})

test.group('Notification preferences', () => {
  test('include the generic type of a new application, switched on', async ({ client, assert }) => {
    const application = await anApplication()
    const generic = await NotificationType.findByOrFail({ applicationId: application.id })
    const response = await signedIn(client, uniqueEmail()).get(`${PATH}/${application.code}`)
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      code: 'OK',
      response: [itemOf(generic, { code: 'generic', name: generic.name })],
    })
  })

  test('start with the defaults of the type, and exclude types without self-service', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const quiet = await aType(application, {
      description: 'Rarely',
      emailEnabled: false,
      userCanDisable: false,
      defaultEmail: false,
      defaultPush: true,
    })
    await aType(application, { selfServiceEnabled: false })
    await aType(await anApplication())
    const loud = await aType(application, { pushEnabled: false, defaultPush: false })
    const response = await signedIn(client, uniqueEmail()).get(`${PATH}/${application.code}`)
    assert.deepEqual(response.body().response.slice(1), [
      itemOf(quiet, {
        description: 'Rarely',
        emailEnabled: false,
        userCanDisable: false,
        email: false,
      }),
      itemOf(loud, { pushEnabled: false, push: false }),
    ])
  })

  test('return 404 for an unknown application and require a token', async ({ client }) => {
    const response = await signedIn(client, uniqueEmail()).get(`${PATH}/${uniqueCode()}`)
    response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const list = await client.get(`${PATH}/auth`)
    list.assertProblem(401, 'UNAUTHENTICATED')
    const one = await client.put(`${PREFERENCES}/1`).json({ email: true })
    one.assertProblem(401, 'UNAUTHENTICATED')
    const bulk = await client.put(`${PREFERENCES}/bulk`).json({ updates: [] })
    bulk.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('change one switch of one user only', async ({ client, assert }) => {
    const application = await anApplication()
    const type = await aType(application, { defaultPush: false })
    const [person, other] = [signedIn(client, uniqueEmail()), signedIn(client, uniqueEmail())]
    const path = `${PREFERENCES}/${type.id}`

    const first = await person.put(path, { email: false })
    first.assertStatus(200)
    assert.deepEqual(first.body(), {
      code: 'OK',
      response: itemOf(type, { email: false, push: false }),
    })
    const second = await person.put(path, { push: true })
    assert.deepEqual(second.body().response, itemOf(type, { email: false, push: true }))
    const nothing = await person.put(path, {})
    assert.deepEqual(nothing.body().response, itemOf(type, { email: false, push: true }))
    const both = await person.put(path, { email: true, push: false })
    assert.deepEqual(both.body().response, itemOf(type, { email: true, push: false }))

    const theirs = await other.get(`${PATH}/${application.code}`)
    assert.deepEqual(theirs.body().response[1], itemOf(type, { push: false }))
    assert.lengthOf(await NotificationPreference.query().where('notificationTypeId', type.id), 1)
  })

  test('return 403 for a locked type, also in bulk', async ({ client, assert }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const locked = await aType(application, { userCanDisable: false })
    const hidden = await aType(application, { userCanDisable: false, selfServiceEnabled: false })
    const open = await aType(application)
    for (const { id } of [locked, hidden]) {
      const one = await person.put(`${PREFERENCES}/${id}`, { email: true })
      one.assertProblem(403, 'PREFERENCE_LOCKED', { notificationTypeIds: [id] })
    }
    const bulk = await person.put(`${PREFERENCES}/bulk`, {
      updates: [
        { notificationTypeId: open.id, email: false },
        { notificationTypeId: locked.id, email: false },
      ],
    })
    bulk.assertProblem(403, 'PREFERENCE_LOCKED', { notificationTypeIds: [locked.id] })
    const list = await person.get(`${PATH}/${application.code}`)
    assert.deepInclude(list.body().response, itemOf(open))
  })

  test('of a locked type are its defaults, and choices return when it is unlocked', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const type = await aType(application, { defaultEmail: false })
    await person.put(`${PREFERENCES}/${type.id}`, { email: true, push: false })
    const switches = async () => {
      const list = await person.get(`${PATH}/${application.code}`)
      const item = list
        .body()
        .response.find((one: { notificationTypeId: number }) => one.notificationTypeId === type.id)
      return [item.email, item.push]
    }
    await type.merge({ userCanDisable: false }).save()
    assert.deepEqual(await switches(), [false, true])
    await type.merge({ userCanDisable: true }).save()
    assert.deepEqual(await switches(), [true, false])
  })

  test('reject a type that does not exist or has no self-service', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    const hidden = await aType(await anApplication(), { selfServiceEnabled: false })
    for (const id of [hidden.id, 2_147_483_647]) {
      const response = await person.put(`${PREFERENCES}/${id}`, { email: true })
      response.assertProblem(404, 'NOTIFICATION_TYPE_NOT_FOUND')
    }
    for (const id of ['0', '-1', 'x', '1.5']) {
      const response = await person.put(`${PREFERENCES}/${id}`, { email: true })
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('change in bulk and are returned by id', async ({ client, assert }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const [a, b, c] = [await aType(application), await aType(application), await aType(application)]
    const response = await person.put(`${PREFERENCES}/bulk`, {
      updates: [
        { notificationTypeId: c.id, email: false, push: false },
        { notificationTypeId: a.id, push: false },
        { notificationTypeId: c.id, push: true },
      ],
    })
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      code: 'OK',
      response: [itemOf(a, { push: false }), itemOf(c, { email: false })],
    })
    const list = await person.get(`${PATH}/${application.code}`)
    assert.deepEqual(list.body().response.slice(1), [
      itemOf(a, { push: false }),
      itemOf(b),
      itemOf(c, { email: false }),
    ])
    const empty = await person.put(`${PREFERENCES}/bulk`, { updates: [] })
    assert.deepEqual(empty.body(), { code: 'OK', response: [] })
  })

  test('do not change if one update of a bulk is invalid', async ({ client, assert }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const type = await aType(application)
    const good = { notificationTypeId: type.id, email: false }
    const unknown = await person.put(`${PREFERENCES}/bulk`, {
      updates: [good, { notificationTypeId: 2_147_483_647, email: false }],
    })
    unknown.assertProblem(400, 'UNKNOWN_NOTIFICATION_TYPE', { unknown: [2_147_483_647] })
    for (const bad of [
      { notificationTypeId: type.id, email: 'false' },
      { notificationTypeId: type.id, push: 1 },
      { notificationTypeId: String(type.id) },
      { email: true },
      5,
    ]) {
      const response = await person.put(`${PREFERENCES}/bulk`, { updates: [good, bad] })
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
    for (const body of [{}, { updates: good }, { updates: null }]) {
      const response = await person.put(`${PREFERENCES}/bulk`, body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'updates' }] })
    }
    const list = await person.get(`${PATH}/${application.code}`)
    assert.deepInclude(list.body().response, itemOf(type))
  })

  test('can be changed concurrently in any order', async ({ client, assert }) => {
    const application = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const types = [await aType(application), await aType(application), await aType(application)]
    const updates = types.map(({ id }) => ({ notificationTypeId: id, email: false }))
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        person.put(`${PREFERENCES}/bulk`, {
          updates: index % 2 === 0 ? updates : updates.toReversed(),
        })
      )
    )
    for (const response of responses) response.assertStatus(200)
    const list = await person.get(`${PATH}/${application.code}`)
    const off = types.map((type) => itemOf(type, { email: false }))
    assert.deepEqual(list.body().response.slice(1), off)
  })
})
