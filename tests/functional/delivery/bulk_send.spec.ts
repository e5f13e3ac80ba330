import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { MalformedJson } from '#core/exceptions/problems'
import { allRefused, sendMany } from '#app/delivery/actions/send_many'
import {
  aTemplate,
  aType,
  postInternalNotification,
  notificationRecordOf,
  notificationsOf,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'
import { TestSmtpServer } from '#tests/world/smtp_server'

const TEXT = { subject: 'Hello', body: 'Something happened' }

test.group('Bulk sends', () => {
  test('send 100 notifications in order, each once', async ({ assert, client }) => {
    const application = await anApplication()
    const emails = Array.from({ length: 100 }, () => uniqueEmail())
    const notifications = emails.map((recipientEmail, index) => ({
      recipientEmail,
      appCode: application.code,
      type: 'generic',
      data: { subject: `Number ${index}`, body: 'x' },
    }))
    const response = await postInternalNotification(client, '/bulk', { notifications })
    response.assertStatus(200)
    const { success, data } = response.body()
    assert.isTrue(success)
    assert.lengthOf(data, 100)
    for (const [index, email] of emails.entries()) {
      assert.containSubset(data[index], { status: 'sent', statusReason: null })
      const mails = smtp.mailsTo(email)
      assert.lengthOf(mails, 1)
      assert.equal(mails[0].parsed.subject, `Number ${index}`)
      const [row, ...more] = await notificationsOf(email)
      assert.isEmpty(more)
      assert.containSubset(row, { id: data[index].id, subject: `Number ${index}`, status: 'sent' })
    }
  }).timeout(60_000)

  for (const [title, notifications, code] of [
    ['an empty list', [], 'VALIDATION_ERROR'],
    ['something other than a list', {}, 'VALIDATION_ERROR'],
    ['a missing list', undefined, 'VALIDATION_ERROR'],
  ] as const) {
    test(`reject ${title}`, async ({ client }) => {
      const response = await postInternalNotification(client, '/bulk', { notifications })
      response.assertProblem(400, code)
    })
  }

  test('let other requests pass while many of them are validated', async ({ assert }) => {
    let validated = 0
    const refuse = async () => {
      validated++
      throw new MalformedJson()
    }
    const items = Array.from({ length: 100 }, () => ({}))
    const sends = Array.from({ length: 4 }, () => sendMany(items, refuse, { kind: 'platform' }))
    await nextTurn()
    assert.isAtMost(validated, 200)
    const results = await Promise.all(sends)
    assert.equal(validated, 400)
    assert.isTrue(results.every(allRefused))
  })

  test('reject 101 notifications and send none', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const one = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    const notifications = Array.from({ length: 101 }, () => one)
    const response = await postInternalNotification(client, '/bulk', { notifications })
    response.assertProblem(400, 'TOO_MANY_NOTIFICATIONS')
    assert.isEmpty(smtp.mailsTo(email))
    assert.isEmpty(await notificationsOf(email))
  })

  test('handle each item on its own', async ({ assert, client }) => {
    const application = await anApplication()
    const strict = await aType(application)
    await aTemplate(
      strict,
      { en: { subject: 'x', body: 'x' } },
      { variables: [{ key: 'code', required: true }] }
    )
    const email = uniqueEmail()
    const valid = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    const response = await postInternalNotification(client, '/bulk', {
      notifications: [
        valid,
        { ...valid, recipientEmail: 'nobody' },
        { ...valid, appCode: uniqueCode() },
        { ...valid, type: strict.code },
        { ...valid, type: strict.code, template: 'nope' },
        { ...valid, type: 'unheard-of' },
        null,
        'text',
        [],
        valid,
      ],
    })
    response.assertStatus(200)
    const { data } = response.body()
    const refused = (code: string, details = {}) => ({ id: null, status: 'failed', code, details })
    assert.containSubset(data[0], { status: 'sent' })
    assert.containSubset(
      data[1],
      refused('VALIDATION_ERROR', { errors: [{ field: 'recipientEmail' }] })
    )
    assert.containSubset(data[2], refused('APPLICATION_NOT_FOUND'))
    assert.containSubset(data[3], refused('MISSING_TEMPLATE_VARIABLES', { missing: ['code'] }))
    assert.containSubset(data[4], refused('UNKNOWN_TEMPLATE'))
    assert.containSubset(data[5], { status: 'skipped', statusReason: 'UNKNOWN_TYPE' })
    for (const index of [6, 7, 8]) assert.containSubset(data[index], refused('VALIDATION_ERROR'))
    assert.containSubset(data[9], { status: 'sent' })
    for (const item of data.slice(1, 5))
      assert.isTrue(item.statusReason.startsWith(`${item.code}: `))
    assert.lengthOf(smtp.mailsTo(email), 2)
    assert.lengthOf(await notificationsOf(email), 3)
  })

  test('continue after an undeliverable address', async ({ assert, client, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const application = await anApplication()
    const emails = Array.from({ length: 10 }, () => uniqueEmail())
    for (const email of emails) await withOwnServer(email, server)
    server.react = (stage, address) => (stage === 'RCPT' && address === emails[4] ? 550 : undefined)
    const notifications = emails.map((recipientEmail) => ({
      recipientEmail,
      appCode: application.code,
      type: 'generic',
      data: TEXT,
    }))
    const { data } = (await postInternalNotification(client, '/bulk', { notifications })).body()
    assert.deepEqual(
      data.map(({ status }: { status: string }) => status),
      emails.map((_, index) => (index === 4 ? 'failed' : 'sent'))
    )
    const { deliveries } = await notificationRecordOf(data[4].id)
    assert.containSubset(deliveries, [{ channel: 'email', status: 'failed', attempts: 1 }])
  })
})
