import { test } from '@japa/runner'
import { Deadline } from '#core/values/deadline'
import type { DeliveryChannel } from '#app/delivery/channels/delivery_channel'
import { FakeChannel } from '#tests/helpers/fake_channel'
import { MailChannel } from '#app/delivery/channels/mail_channel'
import { PushChannel } from '#app/delivery/channels/push_channel'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import Brand from '#app/platform/models/brand'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { aType, subscribe } from '#tests/helpers/deliveries'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { PushService } from '#tests/world/push_service'

let service: PushService

async function aMessage(): Promise<OutgoingMessage> {
  const application = await anApplication()
  const email = uniqueEmail()
  const subscription = await subscribe(email, service.newBrowser())
  return {
    reference: uniqueCode('notification'),
    application,
    type: await aType(application),
    brand: await Brand.default(),
    recipient: await ensureUser({ email }),
    subscriptions: [subscription],
    data: {},
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
  }
}

const mail = new MailChannel()
const drivers: Record<string, DeliveryChannel> = {
  'the mail channel': mail,
  'the push channel': new PushChannel(),
  'the fake channel': new FakeChannel(),
}

test.group('Every delivery channel', (group) => {
  group.setup(async () => {
    service = await new PushService().start()
    return async () => {
      mail.close()
      await service.stop()
    }
  })

  for (const [name, channel] of Object.entries(drivers)) {
    test(`${name} reports a delivery`, async ({ assert }) => {
      const result = await channel.deliver(await aMessage(), new Deadline(10_000))
      assert.containSubset(result, { status: 'sent', error: null })
      assert.lengthOf(result.attempts, 1)
      assert.containSubset(result.attempts[0], { outcome: 'accepted' })
      assert.isString(result.providerMessageId)
    })

    test(`${name} derives the provider message id from the reference`, async ({ assert }) => {
      const message = await aMessage()
      const first = await channel.deliver(message, new Deadline(10_000))
      const second = await channel.deliver(message, new Deadline(10_000))
      const other = await channel.deliver(await aMessage(), new Deadline(10_000))
      assert.equal(first.providerMessageId, second.providerMessageId)
      assert.notEqual(first.providerMessageId, other.providerMessageId)
    })
  }

  for (const [name, channel] of Object.entries(drivers)) {
    test(`${name} reports a failure instead of throwing`, async ({ assert }) => {
      const message = await aMessage()
      message.subscriptions[0].endpoint = 'nowhere'
      message.brand.dkim = { domain: 'x.example', selector: 's', privateKey: null }
      if (channel instanceof FakeChannel) channel.failure = 'told to fail'
      const result = await channel.deliver(message, new Deadline(10_000))
      assert.containSubset(result, { status: 'failed', providerMessageId: null })
      assert.match(result.error!, /^\S.{0,299}$/)
    })

    test(`${name} starts nothing after the deadline`, async ({ assert }) => {
      if (channel instanceof FakeChannel) channel.failure = null
      const result = await channel.deliver(await aMessage(), new Deadline(0))
      assert.containSubset(result, { status: 'failed', providerMessageId: null })
    })
  }
})
