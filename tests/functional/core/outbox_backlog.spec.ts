import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { pauseBroadcast } from '#app/broadcasts/actions/pause_broadcast'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/background/broadcast_expansion'
import { PendingSendSource } from '#app/delivery/background/pending_send_source'
import type { WorkSource } from '#core/background/work_source'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import { ProviderMailSource } from '#app/identity_provider/mail_hook/provider_mail_source'
import { aBroadcast, insertPeople, uniqueEmails } from '#tests/helpers/broadcasts'
import { storedSmtp } from '#tests/helpers/brand_mail'
import { withOwnServer } from '#tests/helpers/deliveries'
import { makeDue, findPendingSend, sendDurably } from '#tests/helpers/pending_sends'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { freePort } from '#tests/world/free_port'
import { smtp } from '#tests/world/prepare'
import { startService } from '#tests/world/service'

async function growthOf(source: Required<Pick<WorkSource, 'backlog'>>) {
  const before = await source.backlog()
  return async () => (await source.backlog()) - before
}

const cancel = (id: number) => Broadcast.query().where('id', id).update({ status: 'cancelled' })

test.group('The backlog', () => {
  test('of broadcasts counts due recipients that are not claimed', async ({ assert, cleanup }) => {
    const grown = await growthOf(new BroadcastDelivery())
    const application = await anApplication()
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: uniqueEmails(3) },
    })
    cleanup(async () => void (await cancel(id)))
    assert.equal(await grown(), 3)
    await claimRecipients(id, null)
    assert.equal(await grown(), 0, 'claimed')
    await BroadcastRecipient.query().where('broadcastId', id).update({ due_at: 1 })
    assert.equal(await grown(), 3, 'left behind')
    await Broadcast.query().where('id', id).update({ sent: 1 })
    const first = await BroadcastRecipient.findByOrFail('broadcastId', id)
    await first.merge({ status: 'sent' }).save()
    assert.equal(await grown(), 2, 'one is done')
    await pauseBroadcast(application.code, id)
    assert.equal(await grown(), 0, 'paused')
  })

  test('of audiences counts broadcasts that start or expand', async ({ assert, cleanup }) => {
    const application = await anApplication()
    await insertPeople(application, uniqueEmails(1))
    const grown = await growthOf(new BroadcastExpansion())
    const audience = { kind: 'application' as const }
    const begun = await aBroadcast(application, { audience })
    const later = await aBroadcast(application, { audience, scheduledAt: '2099-01-01T00:00:00Z' })
    cleanup(async () => {
      await cancel(begun.id)
      await cancel(later.id)
    })
    assert.equal(await grown(), 1)
    await later.merge({ scheduledAt: DateTime.utc().minus({ seconds: 1 }) }).save()
    assert.equal(await grown(), 2, 'its time has come')
    await begun.merge({ expanded: true }).save()
    assert.equal(await grown(), 1, 'the first is written down')
  })

  test('of the provider’s mails counts those whose next round is due', async ({
    assert,
    cleanup,
  }) => {
    const grown = await growthOf(new ProviderMailSource())
    const now = DateTime.utc()
    const mail = await ProviderMail.create({
      fingerprint: randomUUID(),
      claim: randomUUID(),
      status: 'queued',
      templateSource: 'panel',
      dueAt: now.plus({ minutes: 1 }),
      giveUpAt: now.plus({ minutes: 15 }),
      receivedAt: now,
    })
    cleanup(() => mail.delete())
    assert.equal(await grown(), 0)
    await mail.merge({ dueAt: now.minus({ seconds: 1 }) }).save()
    assert.equal(await grown(), 1)
    await mail.merge({ status: 'sent' }).save()
    assert.equal(await grown(), 0)
  })

  test('of retried sends counts those whose next round is due', async ({
    assert,
    client,
    cleanup,
  }) => {
    const grown = await growthOf(new PendingSendSource())
    const email = uniqueEmail()
    await withOwnServer(email, smtp, { smtp: storedSmtp(await freePort()) })
    const { id } = await sendDurably(client, email)
    cleanup(async () => void (await (await findPendingSend(id))?.delete()))
    assert.equal(await grown(), 0)
    await makeDue(id)
    assert.equal(await grown(), 1)
  })

  test('is reported in the metrics, by source', async ({ assert, cleanup }) => {
    const service = await startService({ ...sameDatabase(), QUEUE_IN_SERVICE: 'false' })
    cleanup(async () => void (await service.stop()))
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails: uniqueEmails(2) },
    })
    cleanup(async () => void (await cancel(id)))
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const sources = [new BroadcastDelivery(), new BroadcastExpansion(), new PendingSendSource()]
    for (const source of sources) {
      const line = `concierge_outbox_backlog{source="${source.name}"} ${await source.backlog()}\n`
      assert.include(text, line)
    }
    assert.match(text, /outbox_backlog\{source="mails of the identity provider"\} \d+$/m)
  }).timeout(40_000)
})
