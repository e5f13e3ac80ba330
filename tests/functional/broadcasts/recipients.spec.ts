import { test } from '@japa/runner'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import {
  TEXT,
  aBroadcast,
  anEndedBroadcast,
  insertPeople,
  pathOf,
  uniqueEmails,
} from '#tests/helpers/broadcasts'
import { aNotification } from '#tests/helpers/inbox'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

/** A scheduled broadcast to four addresses, three of which are marked as processed. */
async function aProcessedOne() {
  const application = await anApplication()
  const emails = uniqueEmails(4)
  const { id } = await aBroadcast(application, {
    audience: { kind: 'emails', emails },
    scheduledAt: '2099-01-01T00:00:00Z',
  })
  const entry = await aNotification(emails[1], {
    appCode: application.code,
    status: 'failed',
    statusReason: 'SMTP_ERROR: no',
  })
  const mark = (email: string, status: string, notificationId: number | null = null) =>
    BroadcastRecipient.query()
      .where({ broadcastId: id, email })
      .update({ status, notification_id: notificationId })
  await mark(emails[0], 'sent', 2_000_000_000)
  await mark(emails[1], 'failed', entry.id)
  await mark(emails[2], 'skipped')
  return { application, id, emails, entry, path: pathOf(application, `${id}/recipients`) }
}

test.group('Recipients of a broadcast', () => {
  test('are listed in their order with what became of them', async ({ assert, client }) => {
    const { emails, entry, path } = await aProcessedOne()
    const response = await superAdmin(client).get(`${path}?count=true`)
    response.assertStatus(200)
    response.assertHeader('x-total-count', '4')
    const gone = { statusReason: null, notificationId: null }
    assert.deepEqual(response.body().data, [
      { email: emails[0], status: 'sent', ...gone },
      {
        email: emails[1],
        status: 'failed',
        statusReason: 'SMTP_ERROR: no',
        notificationId: entry.id,
      },
      { email: emails[2], status: 'skipped', ...gone },
      { email: emails[3], status: 'waiting', ...gone },
    ])
  })

  test('are filtered by status and paged', async ({ assert, client }) => {
    const { emails, id, path } = await aProcessedOne()
    const admin = superAdmin(client)
    const emailsIn = (response: { body: () => { data: { email: string }[] } }) =>
      response.body().data.map(({ email }) => email)
    for (const [index, status] of ['sent', 'failed', 'skipped', 'waiting'].entries()) {
      assert.deepEqual(emailsIn(await admin.get(`${path}?status=${status}`)), [emails[index]])
    }
    await BroadcastRecipient.query().where('broadcastId', id).update({ status: 'sent' })
    const first = await admin.get(`${path}?status=sent&limit=3&count=true`)
    first.assertHeader('x-total-count', '4')
    const next = await admin.get(/<([^>]+)>; rel="next"/.exec(first.header('link')!)![1])
    assert.deepEqual([...emailsIn(first), ...emailsIn(next)], emails)
    assert.isUndefined(next.header('link'))
    const unknown = await admin.get(`${path}?status=lost`)
    unknown.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'status' }] })
  })

  test('are all on some page, also if one is erased in between', async ({ assert, client }) => {
    const { emails, id, path } = await aProcessedOne()
    const admin = superAdmin(client)
    const first = await admin.get(`${path}?limit=2`)
    await BroadcastRecipient.query()
      .where({ broadcastId: id, email: emails[1] })
      .update({ email: `zz-${emails[1]}` })
    const next = await admin.get(/<([^>]+)>; rel="next"/.exec(first.header('link')!)![1])
    const listed = next.body().data.map(({ email }: { email: string }) => email)
    assert.deepEqual(listed, emails.slice(2))
  })

  test('do not tell whose addresses other broadcasts have', async ({ assert, client }) => {
    const foreign = await aProcessedOne()
    await BroadcastRecipient.query()
      .where({ broadcastId: foreign.id, email: foreign.emails[0] })
      .update({ email: `zz-${foreign.emails[0]}` })
    const { emails, path } = await aProcessedOne()
    const admin = superAdmin(client)
    const first = await admin.get(`${foreign.path}?limit=1`)
    const [, cursor] = /cursor=([^&>]+)/.exec(first.header('link')!)!
    const own = await admin.get(`${path}?cursor=${cursor}`)
    const listed = own.body().data.map(({ email }: { email: string }) => email)
    assert.deepEqual(listed, emails)
  })

  test('can be exported as CSV and lines of JSON', async ({ assert, client }) => {
    const { emails, id, path } = await aProcessedOne()
    await BroadcastRecipient.query()
      .where({ broadcastId: id, email: emails[0] })
      .update({ email: `+${emails[0]}` })
    const get = async (type: string) =>
      client
        .get(path)
        .bearerToken(await issuer.token(SUPER_ADMIN))
        .header('accept', type)
    const csv = await get('text/csv')
    csv.assertHeader('content-type', 'text/csv; charset=utf-8')
    const lines = csv.text().trimEnd().split('\n')
    assert.lengthOf(lines, 5)
    assert.equal(lines[0], 'email,status,statusReason,notificationId')
    assert.include(lines, `'+${emails[0]},sent,,`)
    const json = await get('application/x-ndjson')
    assert.lengthOf(json.text().trimEnd().split('\n'), 4)
  })

  test('belong to the application', async ({ client }) => {
    const { id } = await aProcessedOne()
    const other = pathOf(await anApplication(), `${id}/recipients`)
    ;(await superAdmin(client).get(other)).assertProblem(404, 'BROADCAST_NOT_FOUND')
  })
})

test.group('Reasons of the recipients of a broadcast', () => {
  test('are counted by status and code, the most frequent first', async ({ assert, client }) => {
    const application = await anApplication()
    const emails = uniqueEmails(6)
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails },
      scheduledAt: '2099-01-01T00:00:00Z',
    })
    const mark = async (email: string, status: 'failed' | 'skipped', statusReason: string) => {
      const entry = await aNotification(email, { appCode: application.code, status, statusReason })
      await BroadcastRecipient.query()
        .where({ broadcastId: id, email })
        .update({ status, notification_id: entry.id })
    }
    await mark(emails[0], 'failed', 'RENDER_ERROR: no')
    await mark(emails[1], 'failed', 'SMTP_ERROR: 550 first@tests.example')
    await mark(emails[2], 'failed', 'SMTP_ERROR: 550 second@tests.example')
    await mark(emails[3], 'skipped', 'NO_CHANNEL')
    await BroadcastRecipient.query()
      .where({ broadcastId: id, email: emails[4] })
      .update({ status: 'skipped', notification_id: 2_000_000_000 })
    const response = await superAdmin(client).get(pathOf(application, `${id}/reasons`))
    response.assertStatus(200)
    const { failed, skipped } = response.body().data
    assert.deepEqual(failed, {
      examined: 3,
      reasons: [
        { reason: 'SMTP_ERROR', count: 2 },
        { reason: 'RENDER_ERROR', count: 1 },
      ],
    })
    assert.equal(skipped.examined, 2)
    assert.sameDeepMembers(skipped.reasons, [
      { reason: 'NO_CHANNEL', count: 1 },
      { reason: null, count: 1 },
    ])
    const other = pathOf(await anApplication(), `${id}/reasons`)
    ;(await superAdmin(client).get(other)).assertProblem(404, 'BROADCAST_NOT_FOUND')
  })
})

test.group('The list of broadcasts', () => {
  test('is filtered by status and type', async ({ assert, client }) => {
    const application = await anApplication()
    const scheduledAt = '2099-01-01T00:00:00Z'
    const scheduled = await aBroadcast(application, { scheduledAt })
    const cancelled = await anEndedBroadcast(application)
    const find = async (query: string) => {
      const found = await superAdmin(client).get(`${pathOf(application)}?count=true&${query}`)
      return [found.header('x-total-count'), found.body().data.map(({ id }: { id: number }) => id)]
    }
    assert.deepEqual(await find('status=scheduled'), ['1', [scheduled.id]])
    assert.deepEqual(await find('status=cancelled'), ['1', [cancelled.id]])
    assert.deepEqual(await find('type=generic'), ['2', [cancelled.id, scheduled.id]])
    assert.deepEqual(await find('type=other'), ['0', []])
    const unknown = await superAdmin(client).get(`${pathOf(application)}?status=lost`)
    unknown.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'status' }] })
  })
})

test.group('A broadcast with an expected total', () => {
  test('is created only if the audience has this size', async ({ assert, client }) => {
    const application = await anApplication()
    await insertPeople(application, uniqueEmails(3))
    const request = {
      type: 'generic',
      data: TEXT,
      scheduledAt: '2099-01-01T00:00:00Z',
      audience: { kind: 'application' },
    }
    const create = (expectedTotal: number, fields: object = {}) =>
      superAdmin(client).post(pathOf(application), { ...request, ...fields, expectedTotal })
    ;(await create(2)).assertProblem(409, 'AUDIENCE_CHANGED', { total: 3 })
    ;(await create(-1)).assertProblem(400, 'VALIDATION_ERROR', {
      errors: [{ field: 'expectedTotal' }],
    })
    assert.isNull(await Broadcast.findBy('applicationId', application.id))
    const [one, other] = uniqueEmails(2)
    const audience = { kind: 'emails', emails: [one, other, one] }
    ;(await create(3, { audience })).assertProblem(409, 'AUDIENCE_CHANGED', { total: 2 })
    ;(await create(2, { audience })).assertStatus(202)
    ;(await create(3)).assertStatus(202)
  })
})
