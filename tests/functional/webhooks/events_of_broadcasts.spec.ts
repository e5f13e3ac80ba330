import { test } from '@japa/runner'
import { Deadline } from '#core/values/deadline'
import type Application from '#app/applications/models/application'
import { cancelBroadcast } from '#app/broadcasts/actions/cancel_broadcast'
import { readBroadcastContent } from '#app/broadcasts/actions/read_broadcast_content'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { sendBatch } from '#app/broadcasts/background/send_batch'
import { StoppedBroadcasts } from '#app/broadcasts/background/stopped_broadcasts'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { aBroadcast } from '#tests/helpers/broadcasts'
import { aNotification } from '#tests/helpers/inbox'
import { refusedPerson } from '#tests/helpers/pending_sends'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { aWebhook, deliveriesTo, forgetOtherWebhooks } from '#tests/helpers/webhooks'

async function aBatchTo(application: Application, email: string) {
  const audience = { kind: 'emails' as const, emails: [email] }
  const broadcast = await aBroadcast(application, { audience })
  const send = async () =>
    sendBatch(
      {
        broadcast,
        content: await readBroadcastContent(broadcast),
        rows: await claimRecipients(broadcast.id, null),
        lease: new Deadline(60_000),
      },
      new AbortController().signal
    )
  return { broadcast, send }
}

test.group('Events of recipients of a broadcast', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('come for recipients whose broadcast ends before their mail is tried again', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const { email } = await refusedPerson(cleanup)
    const { id } = await aWebhook(cleanup, application, 'https://receiver.example')
    const { broadcast, send } = await aBatchTo(application, email)
    await send()
    assert.isEmpty(await deliveriesTo(id))
    await cancelBroadcast(application.code, broadcast.id)
    await new StoppedBroadcasts().work()
    const types = (await deliveriesTo(id)).map(({ type }) => type)
    assert.deepEqual(types, ['notification.failed'])
  })

  test('come for recipients whom a process skipped before it ended', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const { id } = await aWebhook(cleanup, application, 'https://receiver.example')
    for (const statusReason of ['NOTIFICATIONS_DISABLED', 'CANCELLED']) {
      const email = uniqueEmail()
      const { broadcast, send } = await aBatchTo(application, email)
      const skipped = { appCode: application.code, broadcastId: broadcast.id, type: 'generic' }
      const { id: entry } = await aNotification(email, {
        ...skipped,
        status: 'skipped',
        statusReason,
      })
      await BroadcastRecipient.query().where({ email }).update({ notification_id: entry })
      await send()
      assert.equal((await broadcast.refresh()).skipped, 1)
    }
    const types = (await deliveriesTo(id)).map(({ type }) => type)
    assert.deepEqual(types, ['notification.skipped'], 'a cancellation has its event')
  })
})
