import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import broadcastsConfig from '#config/broadcasts'
import { usesPostgres } from '#core/database/dialect'
import { Deadline } from '#core/values/deadline'
import type Application from '#app/applications/models/application'
import { BatchOutcomes, type RecipientOutcome } from '#app/broadcasts/background/batch_outcomes'
import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { type ClaimedRow, claimStatements } from '#app/broadcasts/queries/claim_statements'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import { readBroadcastContent } from '#app/broadcasts/actions/read_broadcast_content'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { sendBatch } from '#app/broadcasts/background/send_batch'
import { StoppedBroadcasts } from '#app/broadcasts/background/stopped_broadcasts'
import Delivery from '#app/delivery/models/delivery'
import Notification from '#app/notifications/models/notification'
import { eraseUser } from '#app/identity_provider/user_lifecycle/erase_user'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { aBroadcast, insertPeople, uniqueEmails } from '#tests/helpers/broadcasts'
import { recordStatements } from '#tests/helpers/count_statements'
import { eventually } from '#tests/helpers/eventually'
import { hasWaitingTransaction } from '#tests/helpers/waiting_transactions'
import { anApplication } from '#tests/helpers/people'
import { beQuiet } from '#tests/helpers/quiet_hours'
import { smtp } from '#tests/world/prepare'

async function aBatch(application: Application, emails: string[]) {
  const broadcast = await aBroadcast(application, { audience: { kind: 'emails', emails } })
  const rows = await claimRecipients(broadcast.id, null)
  const lease = new Deadline(broadcastsConfig.leaseMs)
  return { broadcast, content: await readBroadcastContent(broadcast), rows, lease }
}

const recipientsOf = ({ id }: Broadcast) =>
  BroadcastRecipient.query().where('broadcastId', id).orderBy('id')

const cancel = ({ id }: Broadcast) =>
  Broadcast.query().where('id', id).update({ status: 'cancelled' })

const untilTheEnd = () => new AbortController().signal

test.group('A claimed batch', () => {
  test('is released when too little of its lease is left to start', async ({ assert }) => {
    const emails = uniqueEmails(5)
    const batch = await aBatch(await anApplication(), emails)
    const { leaseMs, beginWithinMs } = broadcastsConfig
    await sendBatch({ ...batch, lease: new Deadline(leaseMs - beginWithinMs - 1) }, untilTheEnd())
    assert.isEmpty(emails.flatMap((email) => smtp.mailsTo(email)))
    for (const { dueAt, claims } of await recipientsOf(batch.broadcast)) {
      assert.deepEqual([dueAt, claims], [null, 0])
    }
    await cancel(batch.broadcast)
  })

  test('is sent as far as there was time to render its messages', async ({ assert, cleanup }) => {
    const { renderWithinMs } = broadcastsConfig
    broadcastsConfig.renderWithinMs = 0
    cleanup(() => void (broadcastsConfig.renderWithinMs = renderWithinMs))
    const batch = await aBatch(await anApplication(), uniqueEmails(3))
    await sendBatch(batch, untilTheEnd())
    const [first, ...others] = await recipientsOf(batch.broadcast)
    assert.equal(first.status, 'sent')
    for (const { status, dueAt, claims } of others) {
      assert.deepEqual([status, dueAt, claims], [null, null, 0])
    }
    const again = await claimRecipients(batch.broadcast.id, null)
    assert.sameMembers(
      again.map(({ id }) => id),
      others.map(({ id }) => id)
    )
    await cancel(batch.broadcast)
  })

  test('releases only recipients that no other process has claimed', async ({
    assert,
    cleanup,
  }) => {
    const { parallel } = broadcastsConfig
    broadcastsConfig.parallel = 7
    cleanup(() => void (broadcastsConfig.parallel = parallel))
    const batch = await aBatch(await anApplication(), uniqueEmails(45))
    await BroadcastRecipient.query().where('id', batch.rows[30].id).update({ notification_id: 1 })
    await sendBatch(batch, untilTheEnd())
    const recipients = await recipientsOf(batch.broadcast)
    assert.isTrue(recipients.slice(0, 20).every(({ status }) => status === 'sent'))
    assert.isTrue(recipients.slice(20, 40).every(({ dueAt, claims }) => dueAt && claims === 1))
    assert.isTrue(recipients.slice(40).every(({ dueAt, claims }) => !dueAt && claims === 0))
    await cancel(batch.broadcast)
  })

  test('does not keep others waiting after someone was erased', async ({ assert }) => {
    const emails = uniqueEmails(30)
    for (const email of emails) await ensureUser({ email })
    const audience = { kind: 'emails' as const, emails }
    const broadcast = await aBroadcast(await anApplication(), { audience })
    const content = await readBroadcastContent(broadcast)
    const sendTo = async (rows: ClaimedRow[]) => {
      const lease = new Deadline(broadcastsConfig.leaseMs)
      await sendBatch({ broadcast, content, rows, lease }, untilTheEnd())
    }
    const [before, during] = [emails[3], emails[7]]
    await eraseUser(before, 'test')
    const rows = await claimRecipients(broadcast.id, null)
    assert.lengthOf(rows, 29)
    await eraseUser(during, 'test')
    await sendTo(rows)
    const others = await claimRecipients(broadcast.id, null)
    if (others.length > 0) await sendTo(others)
    const recipients = await recipientsOf(broadcast)
    assert.deepEqual(
      recipients.map(({ status }) => status),
      emails.map((email) => ([before, during].includes(email) ? 'skipped' : 'sent'))
    )
    assert.deepEqual(
      emails.map((email) => smtp.mailsTo(email).length),
      emails.map((email) => ([before, during].includes(email) ? 0 : 1))
    )
    await broadcast.refresh()
    assert.deepEqual([broadcast.sent, broadcast.skipped], [28, 2])
    await cancel(broadcast)
  })

  test('changes nothing of recipients that another process has decided', async ({ assert }) => {
    const [email] = uniqueEmails(1)
    const batch = await aBatch(await anApplication(), [email])
    await sendBatch(batch, untilTheEnd())
    const [sent] = await recipientsOf(batch.broadcast)
    const outcome: RecipientOutcome = {
      recipientId: sent.id,
      notificationId: sent.notificationId!,
      outcome: { status: 'failed', statusReason: 'SMTP_ERROR: The connection ended' },
      results: new Map([
        ['email', { status: 'failed', attempts: [], providerMessageId: null, error: 'ended' }],
      ]),
      deferred: new Map(),
      isRecorded: false,
      retryAfter: null,
      waitFor: null,
    }
    const late = new BatchOutcomes(batch.broadcast.id, new Deadline(broadcastsConfig.leaseMs))
    await late.add(outcome)
    await late.add({ ...outcome, retryAfter: 1_000 })
    const entry = await Notification.findOrFail(sent.notificationId)
    assert.deepEqual([entry.status, entry.statusReason], ['sent', null])
    const deliveries = await Delivery.query().where('notificationId', entry.id)
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['sent']
    )
    const { sent: count, failed } = await batch.broadcast.refresh()
    assert.deepEqual([count, failed], [1, 0])
    await cancel(batch.broadcast)
  })
})

test.group('A broadcast with a rate', () => {
  test('goes on after the clock was set back', async ({ assert }) => {
    const audience = { kind: 'emails' as const, emails: uniqueEmails(5) }
    const broadcast = await aBroadcast(await anApplication(), { audience, ratePerSecond: 10 })
    const setNext = (at: number) =>
      Broadcast.query().where('id', broadcast.id).update({ next_claim_at: at })
    await setNext(Date.now() + 4_000)
    assert.isEmpty(await claimRecipients(broadcast.id, 10))
    // It sent just before the clock was set back by an hour.
    await setNext(Date.now() + 3_600_000)
    await eventually('it goes on', async () => {
      const { running } = claimStatements()
      const [{ ready }] = (await running.all([])).filter(({ id }) => id === broadcast.id)
      return ready === 1 && (await claimRecipients(broadcast.id, 10)).length > 0
    })
    await cancel(broadcast)
  })
})

test.group('A recipient who waits for quiet hours to end', () => {
  async function aWaitingOne() {
    const [email] = uniqueEmails(1)
    await beQuiet(email)
    const batch = await aBatch(await anApplication(), [email])
    await sendBatch(batch, untilTheEnd())
    await BroadcastRecipient.query().where('id', batch.rows[0].id).update({ due_at: 1 })
    return batch
  }

  const entriesOf = async ({ id }: Broadcast) => {
    const entries = await Notification.query().where('broadcastId', id)
    return entries.map(({ status, statusReason }) => [status, statusReason])
  }

  test('causes no writes until then', async ({ assert }) => {
    const { broadcast } = await aWaitingOne()
    const inAnHour = Date.now() + 3_600_000
    await BroadcastRecipient.query().where('broadcastId', broadcast.id).update({ due_at: inAnHour })
    const source = new BroadcastDelivery()
    while (await source.work(untilTheEnd())) continue
    const statements = await recordStatements(() => source.work(untilTheEnd()))
    assert.isNotEmpty(statements)
    assert.isEmpty(statements.filter((statement) => /^update|complete_broadcasts/.test(statement)))
    await cancel(broadcast)
  })

  test('is counted if the broadcast is cancelled after a batch was released', async ({
    assert,
  }) => {
    const { broadcast, ...batch } = await aWaitingOne()
    const rows = await claimRecipients(broadcast.id, null)
    assert.lengthOf(rows, 1)
    const lease = new Deadline(broadcastsConfig.leaseMs)
    await sendBatch({ ...batch, broadcast, rows, lease }, AbortSignal.abort())
    await cancel(broadcast)
    await new StoppedBroadcasts().work()
    assert.equal((await broadcast.refresh()).skipped, 1)
    assert.deepEqual(await entriesOf(broadcast), [['skipped', 'CANCELLED']])
  })

  test('fails with the reason for which the broadcast fails', async ({ assert }) => {
    const { broadcast } = await aWaitingOne()
    const reason = 'NOTIFICATION_TYPE_NOT_FOUND: The notification type was deleted'
    await broadcast.fail(reason)
    await new StoppedBroadcasts().work()
    assert.equal((await broadcast.refresh()).failed, 1)
    assert.deepEqual(await entriesOf(broadcast), [['failed', reason]])
  })
})

test.group('An audience expanded while its first chunk is sent', () => {
  test('does not block the counting of outcomes', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const [email] = uniqueEmails(1)
    await insertPeople(application, [email])
    const role = await Role.create({ applicationId: application.id, code: 'editor' })
    await UserRole.create({ email, roleId: role.id })
    const broadcast = await aBroadcast(application, { audience: { kind: 'application' } })
    await expandAudience(broadcast.id)
    const outcomes = await db.transaction()
    cleanup(async () => void (outcomes.isCompleted || (await outcomes.rollback())))
    await outcomes.from('broadcast_recipients').where({ email }).update({ status: 'sent' })
    const expanding = expandAudience(broadcast.id)
    if (usesPostgres()) {
      await eventually('it has met the recipient', hasWaitingTransaction)
      await outcomes.rawQuery("set local lock_timeout = '300ms'")
    }
    await outcomes.from('broadcasts').where('id', broadcast.id).increment('sent', 1)
    await outcomes.commit()
    assert.isTrue(await expanding)
    await broadcast.refresh()
    assert.deepEqual([broadcast.total, broadcast.sent, broadcast.expansionStep], [1, 1, 2])
    await cancel(broadcast)
  })
})
