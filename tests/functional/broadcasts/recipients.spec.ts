import { test } from '@japa/runner'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { aBroadcast, pathOf, uniqueEmails } from '#tests/helpers/broadcasts'
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
    ...{ appCode: application.code, status: 'failed', statusReason: 'SMTP_ERROR: no' },
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
        ...{ email: emails[1], status: 'failed' },
        ...{ statusReason: 'SMTP_ERROR: no', notificationId: entry.id },
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
