import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import Notification from '#app/notifications/models/notification'
import { INBOX, aNotification, inboxOf } from '#tests/helpers/inbox'
import { nextPage } from '#tests/helpers/pages'
import { anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import Instance from '#app/applications/models/instance'
import inboxConfig from '#config/inbox'

type Person = ReturnType<typeof signedIn>

const inHours = (hours: number) => DateTime.utc().plus({ hours }).toISO()

async function idsIn(person: Person, query = '') {
  return (await inboxOf(person, query)).map(({ id }) => id)
}

async function unread(person: Person) {
  const response = await person.get(`${INBOX}/unread-count`)
  return response.body().response.count as number
}

async function change(person: Person, id: number, what: string, body?: object) {
  const response = await person.patch(`${INBOX}/${id}/${what}`, body)
  response.assertStatus(204)
}

/** As if the time had come. */
const endSnooze = (id: number) =>
  Notification.query()
    .where({ id })
    .update({ snoozed_until: DateTime.utc().minus({ seconds: 1 }).toISO() })

test.group('The states of an inbox item', () => {
  test('read-all: it marks very many in parts, which stay when the limit of changes ends it', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { changesPerHour, markedTogether } = inboxConfig
    cleanup(() => void Object.assign(inboxConfig, { changesPerHour, markedTogether }))
    Object.assign(inboxConfig, { changesPerHour: 2, markedTogether: 2 })
    const email = uniqueEmail()
    const person = signedIn(client, email)
    for (let item = 0; item < 5; item++) await aNotification(email)
    const refused = await person.post(`${INBOX}/read-all`)
    refused.assertProblem(429, 'RATE_LIMITED')
    assert.equal(await unread(person), 1)
    inboxConfig.changesPerHour = changesPerHour
    const rest = await person.post(`${INBOX}/read-all`)
    assert.deepEqual(rest.body(), { updated: 1 })
  })

  test('unread: it counts again', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    await change(person, id, 'read')
    assert.equal(await unread(person), 0)
    await change(person, id, 'unread')
    await change(person, id, 'unread')
    assert.equal(await unread(person), 1)
    assert.isNull((await inboxOf(person))[0].readAt)
  })

  test('archived: only the archive has it, and it does not count', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    const other = await aNotification(email)
    await change(person, id, 'archive')
    assert.deepEqual(await idsIn(person), [other.id])
    assert.deepEqual(await idsIn(person, '?archived=false'), [other.id])
    assert.equal(await unread(person), 1)
    const [archived] = await inboxOf(person, '?archived=true')
    assert.equal(archived.id, id)
    assert.isNull(archived.readAt)

    await change(person, id, 'archive')
    const [again] = await inboxOf(person, '?archived=1')
    assert.equal(again.archivedAt, archived.archivedAt)
    await change(person, id, 'unarchive')
    await change(person, id, 'unarchive')
    assert.deepEqual(await idsIn(person), [other.id, id])
    assert.deepEqual(await idsIn(person, '?archived=true'), [])
    assert.equal(await unread(person), 2)
  })

  test('snoozed: it is hidden until then, and returns as an unread one', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    await change(person, id, 'read')
    const until = DateTime.utc().plus({ hours: 3 })
    await change(person, id, 'snooze', { until: until.setZone('Europe/Prague').toISO() })
    assert.deepEqual(await idsIn(person), [])
    assert.equal(await unread(person), 0)
    const [snoozed] = await inboxOf(person, '?snoozed=true')
    assert.equal(snoozed.snoozedUntil, until.toISO())

    await endSnooze(id)
    assert.deepEqual(await idsIn(person, '?snoozed=true'), [])
    const [awake] = await inboxOf(person)
    assert.deepEqual([awake.id, awake.snoozedUntil, awake.readAt], [id, null, null])
    assert.equal(await unread(person), 1)
  })

  test('a snooze can be ended, moved, and replaced by the archive', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    await change(person, id, 'snooze', { until: inHours(1) })
    const later = DateTime.utc().plus({ days: 300 })
    await change(person, id, 'snooze', { until: later.toISO() })
    assert.equal((await inboxOf(person, '?snoozed=1'))[0].snoozedUntil, later.toISO())
    await change(person, id, 'snooze', { until: null })
    await change(person, id, 'snooze', { until: null })
    assert.deepEqual(await idsIn(person), [id])

    await change(person, id, 'snooze', { until: inHours(1) })
    await change(person, id, 'archive')
    assert.deepEqual(await idsIn(person, '?snoozed=true'), [])
    assert.isNull((await inboxOf(person, '?archived=true'))[0].snoozedUntil)
    await change(person, id, 'snooze', { until: inHours(1) })
    assert.deepEqual(await idsIn(person, '?archived=true'), [])
    assert.deepEqual(await idsIn(person, '?snoozed=true'), [id])
  })

  test('a time that is past, too far ahead or none is refused', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    const wrong = [inHours(-1), inHours(9_000), 'tomorrow', '22:00', 5, undefined]
    for (const until of wrong) {
      const response = await person.patch(`${INBOX}/${id}/snooze`, { until })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'until' }] })
    }
    assert.deepEqual(await idsIn(person), [id])
  })

  test('reading everything leaves out what is archived or snoozed', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const [a, b, c] = [
      await aNotification(email),
      await aNotification(email),
      await aNotification(email),
    ]
    await change(person, a.id, 'archive')
    await change(person, b.id, 'snooze', { until: inHours(1) })
    const all = await person.post(`${INBOX}/read-all`)
    assert.deepEqual(all.body(), { updated: 1 })
    assert.isNotNull((await Notification.findOrFail(c.id)).readAt)
    await endSnooze(b.id)
    assert.equal(await unread(person), 1)
  })

  test('those of others cannot be changed', async ({ client, assert }) => {
    const theirs = await aNotification(uniqueEmail())
    const hidden = await aNotification(uniqueEmail(), { inInbox: false })
    const person = signedIn(client, uniqueEmail())
    for (const what of ['read', 'unread', 'archive', 'unarchive', 'snooze']) {
      for (const { id, email } of [theirs, hidden]) {
        const someone = id === hidden.id ? signedIn(client, email) : person
        const response = await someone.patch(`${INBOX}/${id}/${what}`, { until: inHours(1) })
        response.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
      }
    }
    const { readAt, archivedAt, snoozedUntil } = await Notification.findOrFail(theirs.id)
    assert.deepEqual([readAt, archivedAt, snoozedUntil], [null, null, null])
  })

  test('an item is listed by the time when it appeared', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const hoursAgo = (hours: number) => DateTime.utc().minus({ hours })
    const late = await aNotification(email, { createdAt: hoursAgo(9), shownAt: hoursAgo(1) })
    const ids = [late.id]
    for (const hours of [4, 3, 2]) {
      const { id } = await aNotification(email, { createdAt: hoursAgo(hours) })
      ids.splice(1, 0, id)
    }
    assert.deepEqual(await idsIn(person), ids)
    const first = await person.get(`${INBOX}?limit=1`)
    const second = await person.get(nextPage(first)!)
    assert.equal(second.body().response[0].id, ids[1])
  })

  test('the next page begins where it did when the last item is gone', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const createdAt = DateTime.utc().minus({ hours: 1 })
    const ids: number[] = []
    for (let count = 0; count < 4; count++) {
      ids.unshift((await aNotification(email, { createdAt })).id)
    }
    const first = await person.get(`${INBOX}?limit=2`)
    await Notification.query().where({ id: ids[1] }).delete()
    const second = await person.get(nextPage(first)!)
    const rest = (second.body().response as { id: number }[]).map(({ id }) => id)
    assert.deepEqual(rest, ids.slice(2))
    for (const cursor of ['aWQ6MQ.zzzzzzzzzz', 'aWQ6MQ.1.1', '.1', 'x.1']) {
      const response = await person.get(`${INBOX}?cursor=${cursor}`)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'cursor' }] })
    }
    const former = await person.get(`${INBOX}?cursor=${btoa(`id:${ids[2]}`)}`)
    assert.equal(former.body().response[0].id, ids[3])
  })

  test('read while it was snoozed: it returns as a read one', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    await change(person, id, 'snooze', { until: inHours(1) })
    await change(person, id, 'read')
    await endSnooze(id)
    assert.deepEqual(await idsIn(person), [id])
    assert.equal(await unread(person), 0)
  })

  test('a relative link leads to the first instance of its application', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const { id: applicationId, code: appCode } = await anApplication()
    const instance = { applicationId, callbackUrls: [], postLogoutUrls: [], approved: true }
    await Instance.create({ ...instance, name: 'first', baseUrl: 'https://one.example/base/' })
    await Instance.create({ ...instance, name: 'second', baseUrl: 'https://two.example' })
    const links = {
      '/orders/7': 'https://one.example/orders/7',
      'orders/7': 'https://one.example/base/orders/7',
      'https://three.example/x': 'https://three.example/x',
      'javascript:alert(1)': null,
      '': null,
    }
    for (const url of Object.keys(links)) await aNotification(email, { appCode, payload: { url } })
    await aNotification(email, { payload: { url: 5 } })
    await aNotification(email, { payload: { url: '/of/no/application' } })
    const items = await inboxOf(signedIn(client, email))
    assert.deepEqual(
      items.map(({ url }) => url),
      [null, null, ...Object.values(links).reverse()]
    )
  })

  test('a relative link never leads to a later application with the same code', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const { id: applicationId, code: appCode, createdAt } = await anApplication()
    const instance = { applicationId, callbackUrls: [], postLogoutUrls: [], approved: true }
    await Instance.create({ ...instance, name: 'new', baseUrl: 'https://new.example' })
    const fields = { appCode, createdAt: createdAt.minus({ days: 1 }) }
    await aNotification(email, { ...fields, payload: { url: '/orders/7' } })
    await aNotification(email, { ...fields, payload: { url: 'https://old.example/orders/7' } })
    const items = await inboxOf(signedIn(client, email))
    assert.deepEqual(
      items.map(({ url }) => url),
      ['https://old.example/orders/7', null]
    )
  })
})
