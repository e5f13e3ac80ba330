import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import Notification from '#app/notifications/models/notification'
import { newestItems } from '#app/inbox/queries/inbox'
import { wokenBetween } from '#app/inbox/queries/news'
import { INBOX, aNotification } from '#tests/helpers/inbox'
import { nextPage } from '#tests/helpers/pages'
import { assertReadsLittle } from '#tests/helpers/query_plan'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const idsOf = (response: { body(): { response: { id: number }[] } }) =>
  response.body().response.map(({ id }) => id)

/** 4,000 items of a user and as many of others; returns the id of the first. */
async function longHistory(email: string): Promise<number> {
  const { id } = await aNotification(email)
  await db.rawQuery(
    `insert into notifications
       (email, app_code, app_name, type, locale, subject, status, payload, in_inbox, read_at, created_at)
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 8000)
     select case n % 2 when 0 then '${email}' else 'other-' || n || '@tests.example' end,
       'shop', 'Shop', 'order', 'en', 'Subject', 'sent', '{}', true,
       case when n > 20 then current_timestamp end, current_timestamp
     from numbers`
  )
  if (usesPostgres()) await db.rawQuery('analyze notifications')
  return id
}

test.group('Inbox', () => {
  test('returns items with all documented fields', async ({ client, assert }) => {
    const email = uniqueEmail()
    const payload = { order: 7, nested: { list: [1, null, 'x'] } }
    const { id } = await aNotification(email, {
      status: 'failed',
      statusReason: 'SMTP_ERROR: refused',
      locale: 'cs',
      payload,
    })
    const response = await signedIn(client, email).get(INBOX)
    response.assertStatus(200)
    const [{ createdAt }] = response.body().response
    assert.match(createdAt, TIMESTAMP)
    assert.deepEqual(response.body(), {
      code: 'OK',
      response: [
        {
          id,
          appCode: 'shop',
          appName: 'Shop',
          type: 'order-shipped',
          subject: 'Your order is on its way',
          status: 'failed',
          statusReason: 'SMTP_ERROR: refused',
          body: { text: null, html: null },
          url: null,
          locale: 'cs',
          readAt: null,
          archivedAt: null,
          snoozedUntil: null,
          createdAt,
          shownAt: createdAt,
          payload,
        },
      ],
    })
    assert.isUndefined(nextPage(response))
  })

  test('is empty for a new user and does not contain the items of others', async ({
    client,
    assert,
  }) => {
    await aNotification(uniqueEmail())
    const person = signedIn(client, uniqueEmail())
    const list = await person.get(INBOX)
    assert.deepEqual(list.body(), { code: 'OK', response: [] })
    const count = await person.get(`${INBOX}/unread-count`)
    assert.deepEqual(count.body(), { code: 'OK', response: { count: 0 } })
  })

  test('requires a token', async ({ client }) => {
    for (const path of ['', '/unread-count']) {
      const response = await client.get(`${INBOX}${path}`)
      response.assertProblem(401, 'UNAUTHENTICATED')
    }
    const read = await client.patch(`${INBOX}/1/read`)
    read.assertProblem(401, 'UNAUTHENTICATED')
    const all = await client.post(`${INBOX}/read-all`)
    all.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('lists the newest item first and filters by application and unread items', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const [shop, blog] = [uniqueCode(), uniqueCode()]
    const a = await aNotification(email, { appCode: shop })
    const b = await aNotification(email, { appCode: blog })
    const c = await aNotification(email, { appCode: shop })
    await person.patch(`${INBOX}/${c.id}/read`)

    assert.deepEqual(idsOf(await person.get(INBOX)), [c.id, b.id, a.id])
    assert.deepEqual(idsOf(await person.get(`${INBOX}?appCode=${shop}`)), [c.id, a.id])
    assert.deepEqual(idsOf(await person.get(`${INBOX}?unreadOnly=true`)), [b.id, a.id])
    assert.deepEqual(idsOf(await person.get(`${INBOX}?unreadOnly=1&appCode=${shop}`)), [a.id])
    for (const no of ['false', '0']) {
      assert.deepEqual(idsOf(await person.get(`${INBOX}?unreadOnly=${no}`)), [c.id, b.id, a.id])
    }
    assert.deepEqual(idsOf(await person.get(`${INBOX}?appCode=${uniqueCode()}`)), [])
  })

  test('filtered by an application, leaves out items of a former one with its code', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const code = uniqueCode()
    const old = await aNotification(email, { appCode: code, appName: 'Old' })
    assert.deepEqual(idsOf(await person.get(`${INBOX}?appCode=${code}`)), [old.id])
    await db
      .from('notifications')
      .where('id', old.id)
      .update({ created_at: '2020-01-01T00:00:00.000Z' })
    await anApplication({ code })
    const item = await aNotification(email, { appCode: code, appName: 'New' })

    assert.deepEqual(idsOf(await person.get(`${INBOX}?appCode=${code}`)), [item.id])
    assert.deepEqual(idsOf(await person.get(INBOX)), [item.id, old.id])
    const read = await person.post(`${INBOX}/read-all`, { appCode: code })
    assert.equal(read.body().updated, 1)
    assert.deepEqual(idsOf(await person.get(`${INBOX}?unreadOnly=true`)), [old.id])
  })

  test('never shows or counts system messages, or marks them as read', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email, { inInbox: false })
    assert.deepEqual(idsOf(await person.get(INBOX)), [])
    const count = await person.get(`${INBOX}/unread-count`)
    assert.deepEqual(count.body().response, { count: 0 })
    const read = await person.patch(`${INBOX}/${id}/read`)
    read.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const all = await person.post(`${INBOX}/read-all`)
    assert.deepEqual(all.body(), { updated: 0 })
    assert.isNull((await Notification.findOrFail(id)).readAt)
  })

  test('accepts limits from 1 to 200 and validates the query', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    await Notification.createMany(
      Array.from({ length: 51 }, () => ({
        email,
        appCode: 'shop',
        appName: 'Shop',
        type: 't',
        locale: 'en',
        subject: 's',
        status: 'sent' as const,
        payload: {},
        inInbox: true,
      }))
    )
    assert.lengthOf(idsOf(await person.get(INBOX)), 50)
    assert.lengthOf(idsOf(await person.get(`${INBOX}?limit=1`)), 1)
    assert.lengthOf(idsOf(await person.get(`${INBOX}?limit=200`)), 51)
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1.5',
      'limit=many',
      'cursor=made-up',
      'unreadOnly=yes',
      'appCode=%00',
    ]) {
      const response = await person.get(`${INBOX}?${query}`)
      const [field] = query.split('=')
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
  })

  test('shows each item once while new ones arrive', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const before: number[] = []
    for (let count = 0; count < 23; count++) before.push((await aNotification(email)).id)

    const seen: number[] = []
    let path: string | undefined = `${INBOX}?limit=5&unreadOnly=false`
    let pages = 0
    while (path) {
      const [response] = await Promise.all([
        person.get(path),
        aNotification(email),
        aNotification(email),
      ])
      response.assertStatus(200)
      seen.push(...idsOf(response))
      path = nextPage(response)
      if (path) assert.include(path, 'unreadOnly=false')
      assert.isBelow(++pages, 8)
    }
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((one, other) => other - one)
    )
    assert.includeMembers(seen, before)
  })

  test('does not skip unread items while others are marked as read', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const items = []
    for (let count = 0; count < 6; count++) items.push((await aNotification(email)).id)
    const first = await person.get(`${INBOX}?limit=3&unreadOnly=true`)
    for (const id of idsOf(first)) await person.patch(`${INBOX}/${id}/read`)
    const second = await person.get(nextPage(first)!)
    assert.deepEqual([...idsOf(first), ...idsOf(second)], items.reverse())
  })

  test('reads only the rows of a page, anywhere in a long history', async ({ assert }) => {
    const email = uniqueEmail()
    const oldest = await longHistory(email)
    const first = { limit: 50, after: null }
    const pages = [
      { page: newestItems(email, {}, first), index: /inbox_index/ },
      {
        page: newestItems(email, {}, { limit: 50, after: oldest + 200 }),
        // The index is searched for the position, too.
        index: /inbox_index \(email=\? AND <expr><\?\)/,
      },
      // Only the ten oldest are unread.
      { page: newestItems(email, { unreadOnly: true }, first), index: /unread_index/ },
      { page: newestItems(email, { archived: true }, first), index: /archive_index/ },
    ]
    for (const { page, index } of pages) {
      // PostgreSQL reads the last item of the previous page twice.
      const expected = { rows: 53, index }
      await assertReadsLittle(assert, db.rawQuery(page.sql, page.values), expected)
    }
  })

  test('finds each snooze that ended, however many', async ({ assert }) => {
    const email = uniqueEmail()
    const until = Date.now() - 3_600_000
    const at = new Date(until).toISOString()
    const item = { email, app_code: 'shop', app_name: 'Shop', type: 'order', locale: 'en' }
    const fields = { ...item, subject: 's', status: 'sent', payload: '{}', in_inbox: true }
    for (let batch = 0; batch < 25; batch++) {
      const row = { ...fields, created_at: at, snoozed_until: at }
      await db.table('notifications').multiInsert(Array.from({ length: 50 }, () => row))
    }
    const found: number[] = []
    for await (const woken of wokenBetween(until - 1, until, email)) {
      found.push(...woken.map(({ id }) => id))
    }
    assert.equal(new Set(found).size, 1_250)
    assert.lengthOf(found, 1_250)
    for await (const woken of wokenBetween(until, until + 1, email)) assert.lengthOf(woken, 0)
  })

  test('keeps the time when an item was first read', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const { id } = await aNotification(email)
    const other = await aNotification(email)
    const read = await person.patch(`${INBOX}/${id}/read`)
    read.assertStatus(204)
    assert.equal(read.text(), '')
    const first = (await person.get(INBOX)).body().response
    assert.match(first[1].readAt, TIMESTAMP)
    assert.isNull(first[0].readAt)

    const again = await person.patch(`${INBOX}/${id}/read`)
    again.assertStatus(204)
    assert.deepEqual((await person.get(INBOX)).body().response, first)
    const count = await person.get(`${INBOX}/unread-count`)
    assert.deepEqual(count.body(), { code: 'OK', response: { count: 1 } })
    assert.isNull((await Notification.findOrFail(other.id)).readAt)
  })

  test('cannot find the items of others, which stay unread', async ({ client, assert }) => {
    const { id } = await aNotification(uniqueEmail())
    const person = signedIn(client, uniqueEmail())
    const response = await person.patch(`${INBOX}/${id}/read`)
    response.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    assert.isNull((await Notification.findOrFail(id)).readAt)
    const unknown = await person.patch(`${INBOX}/2147483647/read`)
    unknown.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const malformed = await person.patch(`${INBOX}/first/read`)
    malformed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'id' }] })
  })

  test('marks all items as read, or those of one application', async ({ client, assert }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const stranger = await aNotification(uniqueEmail())
    const [shop, blog] = [uniqueCode(), uniqueCode()]
    await aNotification(email, { appCode: shop })
    await aNotification(email, { appCode: shop })
    await aNotification(email, { appCode: blog })

    const some = await person.post(`${INBOX}/read-all`, { appCode: shop })
    some.assertStatus(200)
    assert.deepEqual(some.body(), { updated: 2 })
    const rest = await person.post(`${INBOX}/read-all`)
    assert.deepEqual(rest.body(), { updated: 1 })
    const none = await person.post(`${INBOX}/read-all`, {})
    assert.deepEqual(none.body(), { updated: 0 })
    const count = await person.get(`${INBOX}/unread-count`)
    assert.deepEqual(count.body().response, { count: 0 })
    assert.isNull((await Notification.findOrFail(stranger.id)).readAt)
    const wrong = await person.post(`${INBOX}/read-all`, { appCode: 5 })
    wrong.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'appCode' }] })
  })
})
