import { test } from '@japa/runner'
import { aType, notificationRecordOf, subscribe } from '#tests/helpers/deliveries'
import { TEXT, runNextRound, sendDurably, refusedPerson } from '#tests/helpers/pending_sends'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { PushService } from '#tests/world/push_service'

test.group('A durable push', (group) => {
  let service: PushService

  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  test('is retried after a {status} response until it is accepted')
    .with([{ status: 429 }, { status: 500 }, { status: 503 }])
    .run(async ({ assert, client }, { status }) => {
      const email = uniqueEmail()
      const application = await anApplication()
      const type = await aType(application, { emailEnabled: false })
      const browser = service.newBrowser()
      await subscribe(email, browser)
      browser.response = status
      const result = await sendDurably(client, email, {
        appCode: application.code,
        type: type.code,
        data: { ...TEXT, url: 'https://shop.example/orders/7' },
      })
      assert.equal(result.status, 'failed')
      assert.property(result, 'retryUntil')
      browser.response = 201
      assert.containSubset(await runNextRound(result), { status: 'sent', statusReason: null })
      assert.lengthOf(browser.messages, 1)
      const { payload } = browser.messages[0]
      assert.containSubset(payload, { title: 'Hello', url: 'https://shop.example/orders/7' })
    })

  test('ends when no subscription remains', async ({ assert, client }) => {
    const email = uniqueEmail()
    const application = await anApplication()
    const type = await aType(application, { emailEnabled: false })
    const browser = service.newBrowser()
    const row = await subscribe(email, browser)
    browser.response = 503
    const fields = { appCode: application.code, type: type.code }
    const result = await sendDurably(client, email, fields)
    await row.delete()
    assert.containSubset(await runNextRound(result), {
      status: 'failed',
      statusReason: 'NO_CHANNEL',
    })

    await subscribe(email, service.newBrowser())
    const gone = service.newBrowser()
    gone.response = 400
    const other = uniqueEmail()
    await subscribe(other, gone)
    assert.notProperty(await sendDurably(client, other, fields), 'retryUntil')
  })

  test('is retried alone if the mail is rejected permanently', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    const browser = service.newBrowser()
    await subscribe(email, browser)
    browser.response = 503
    const result = await sendDurably(client, email)
    assert.property(result, 'retryUntil')
    const asked = server.connections
    browser.response = 201
    assert.equal((await runNextRound(result)).status, 'sent')
    assert.equal(server.connections, asked)
    const { deliveries } = await notificationRecordOf(result.id)
    assert.deepEqual(
      deliveries.map(({ channel, status, attempts }) => [channel, status, attempts]),
      [
        ['email', 'failed', 1],
        ['push', 'sent', 2],
      ]
    )
  })
})
