import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import broadcastsConfig from '#config/broadcasts'
import { usesPostgres } from '#core/database/dialect'
import { Deadline } from '#core/values/deadline'
import type Application from '#app/applications/models/application'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import { readBroadcastContent } from '#app/broadcasts/actions/read_broadcast_content'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { sendBatch } from '#app/broadcasts/background/send_batch'
import Role from '#app/permissions/models/role'
import UserRole from '#app/permissions/models/user_role'
import { aBroadcast, insertPeople, uniqueEmails } from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { hasWaitingTransaction } from '#tests/helpers/waiting_transactions'
import { anApplication } from '#tests/helpers/people'
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
