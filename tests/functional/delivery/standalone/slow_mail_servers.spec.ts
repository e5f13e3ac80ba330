import { test } from '@japa/runner'
import { finishPendingRounds } from '#app/delivery/actions/track_round'
import Notification from '#app/notifications/models/notification'
import { findPendingSend, sendDurably, refusedPerson, takes } from '#tests/helpers/pending_sends'

test.group('Slow mail servers', () => {
  test('receive a mail once, however long they process it', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    takes(server)
    server.delayMs = 6_500
    const result = await sendDurably(client, email, { retryHours: 0 })
    assert.equal(result.status, 'sent')
    assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(30_000)

  test('receive a durable mail once, even if the request ends first', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    takes(server)
    server.delayMs = 12_000
    const result = await sendDurably(client, email)
    assert.equal(result.status, 'failed')
    assert.equal(result.statusReason, 'SMTP_ERROR: the delivery did not finish')
    assert.property(result, 'retryUntil')
    await finishPendingRounds()
    assert.containSubset(await Notification.findOrFail(result.id), { status: 'sent' })
    assert.lengthOf(server.mailsTo(email), 1)
    assert.isNull(await findPendingSend(result.id))
  }).timeout(40_000)
})
