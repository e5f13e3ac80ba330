import { test } from '@japa/runner'
import { shortLine } from '#core/values/short_line'
import { attemptNow } from '#app/delivery/values/attempt_report'
import { failedDelivery, recordableResult } from '#app/delivery/values/delivery_result'
import { cpuMs } from '#tests/helpers/cpu'
import { notificationRecordOf, sendNotification, withOwnServer } from '#tests/helpers/deliveries'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { TestSmtpServer } from '#tests/world/smtp_server'

const LONGEST = 4_096

/** Of four characters each. */
const codes = (count: number) =>
  Array.from({ length: count }, (_, index) => (1_679_616 + index).toString(36).slice(-4))

const HOSTILE: Record<string, [text: string, secrets: string[]]> = {
  'very many secrets': [`550 ${'x'.repeat(2_000)}`, codes(140_000)],
  'as many secrets as are looked for': [`550 ${'x'.repeat(4_000)}`, codes(200)],
  'a very long text': [`550 ${'x'.repeat(1_000_000)}`, codes(200)],
  'texts that almost match everywhere': [
    `550 ${'a'.repeat(4_000)}`,
    Array.from({ length: 200 }, (_, index) => `${'a'.repeat(400 + index)}b${'a'.repeat(600)}`),
  ],
  'encoded texts that almost match everywhere': [
    `550 ${'%61'.repeat(1_360)}`,
    Array.from({ length: 200 }, (_, index) => `${'a'.repeat(300 + index)}b${'a'.repeat(600)}`),
  ],
}

test.group('Looking for secrets that a server quotes', () => {
  test('takes a bounded time with {$self}')
    .with(Object.keys(HOSTILE))
    .run(({ assert }, title) => {
      const [text, secrets] = HOSTILE[title]
      const ms = cpuMs(() => void shortLine(text, secrets))
      // About 200 ms at most; it took up to 14 s.
      assert.isBelow(ms, 1_500)
    })
    .timeout(60_000)

  test('is done only once for texts that several attempts repeat', ({ assert }) => {
    const [text, secrets] = HOSTILE['texts that almost match everywhere']
    const attempts = Array.from({ length: 20 }, () => attemptNow('deferred', 450, text))
    const result = failedDelivery(text, attempts, true)
    assert.isBelow(
      cpuMs(() => void recordableResult(result, secrets)),
      1_500
    )
  })

  test('leaves only the code of a reply if there are too many of them', ({ assert }) => {
    assert.equal(shortLine('550 5.1.1 no 0001 here', codes(201)), '550 …')
    assert.equal(shortLine('550-no\r\n550 0001', codes(201)), '550 …')
    assert.equal(shortLine('55012 refused', codes(201)), '…')
    assert.equal(shortLine('no 0001 here', codes(200)), 'no … here')
    // Repeated values count once.
    assert.equal(shortLine('no 0001 here', Array(1_000).fill('0001')), 'no … here')
  })

  test('leaves only the code of a reply that is too long', ({ assert }) => {
    const secret = 'secret'.repeat(1_000)
    assert.equal(shortLine(`550 ${secret}`, [secret]), '550 …')
    for (let before = LONGEST - 20; before < LONGEST; before++) {
      const text = `${'a'.repeat(before)}4711-0815`
      assert.notInclude(shortLine(text, ['4711-0815', 'a'.repeat(100)]), '4')
    }
    assert.equal(shortLine(`550 ${'x'.repeat(5_000)}`, []), `550 ${'x'.repeat(296)}`)
  })

  test('does not block sends that are refused', async ({ assert, client, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    server.refusal = `5.1.1 User unknown: 0001 ${'x'.repeat(1_400)}`
    const email = uniqueEmail()
    await withOwnServer(email, server)
    const application = await anApplication()
    const type = await aType(application)
    const variables = [{ key: 'codes', required: false, sensitive: true }]
    await aVersion(await aTemplate(application, type, { variables }), 'en')
    const startedAt = performance.now()
    const sent = await sendNotification(client, {
      recipientEmail: email,
      appCode: application.code,
      type: type.code,
      data: { codes: codes(9_900) },
    })
    sent.assertStatus(200)
    // With 130,000 it took more than 10 s.
    assert.isBelow(performance.now() - startedAt, 5_000)
    assert.equal(sent.body().data.statusReason, 'SMTP_ERROR: 550 …')
    const { deliveries } = await notificationRecordOf(sent.body().data.id)
    assert.equal(deliveries[0].error, '550 …')
  }).timeout(120_000)
})
