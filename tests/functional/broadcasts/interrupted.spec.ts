import { once } from 'node:events'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import broadcastsConfig from '#config/broadcasts'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import Notification from '#app/notifications/models/notification'
import { startAce } from '#tests/helpers/ace'
import {
  aBroadcast,
  insertPeople,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { refuseWrites } from '#tests/helpers/refuse_writes'
import { smtp } from '#tests/world/prepare'

/** Enough placeholders to make rendering slow. */
const LONG_TEXT = '{{nothing}}'.repeat(60_000)

test.group('A process killed while rendering a broadcast', () => {
  test('has recorded and sent nothing, and another one reaches everyone once', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(type, { en: { subject: 'News', body: '<p>Hello</p>' } })
    const change = { inlined_body: LONG_TEXT, updated_at: new Date().toISOString() }
    await template.related('versions').query().update(change)
    const emails = uniqueEmails(40)
    const audience = { kind: 'emails' as const, emails }
    const { id } = await aBroadcast(application, { type: type.code, audience })

    const victim = startAce(['queue:work'], { BROADCAST_LEASE: '2' })
    cleanup(() => void victim.child.kill('SIGKILL'))
    await eventually(
      'it has claimed them',
      () => BroadcastRecipient.query().where('broadcastId', id).whereNotNull('dueAt').first(),
      30_000
    ).then(() => victim.child.kill('SIGKILL'))
    await once(victim.child, 'exit')
    const records = () => Notification.query().whereIn('email', emails)
    assert.lengthOf(await records(), 0)
    assert.isEmpty(emails.flatMap((email) => smtp.mailsTo(email)))

    startBroadcastWorker(cleanup)
    const { sent, total } = await waitForBroadcastStatus(id, 'completed', 60_000)
    assert.deepEqual([sent, total], [40, 40])
    assert.isTrue(emails.every((email) => smtp.mailsTo(email).length === 1))
    assert.lengthOf(await records(), 40)
  }).timeout(120_000)
})

test.group('A partially expanded audience', () => {
  test('continues after the last complete chunk when a process crashes', async ({
    assert,
    cleanup,
  }) => {
    const { chunk } = broadcastsConfig
    broadcastsConfig.chunk = { sqlite: 50, pg: 50 }
    cleanup(() => void (broadcastsConfig.chunk = chunk))
    const application = await anApplication()
    const emails = uniqueEmails(180)
    await insertPeople(application, emails)
    const { id } = await aBroadcast(application, { audience: { kind: 'application' } })
    const state = async () => {
      const { total, expanded } = await Broadcast.findOrFail(id)
      const [{ rows }] = await db
        .from('broadcast_recipients')
        .where('broadcast_id', id)
        .count('* as rows')
      return { total, rows: Number(rows), expanded: Boolean(expanded) }
    }
    await expandAudience(id)
    assert.deepEqual(await state(), { total: 50, rows: 50, expanded: false })

    // The chunk's recipients are in the transaction when the position is written.
    const takeAgain = await refuseWrites({
      table: 'broadcasts',
      event: 'update',
      when: `new.id = ${id} and new.total > 50`,
    })
    await assert.rejects(async () => void (await expandAudience(id)), /refused by the test/)
    assert.deepEqual(await state(), { total: 50, rows: 50, expanded: false })
    await takeAgain()

    startBroadcastWorker(cleanup)
    const { sent } = await waitForBroadcastStatus(id, 'completed', 30_000)
    assert.deepEqual(await state(), { total: 180, rows: 180, expanded: true })
    assert.equal(sent, 180)
    assert.isTrue(emails.every((email) => smtp.mailsTo(email).length === 1))
  }).timeout(60_000)
})
