import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'
import {
  recordDeliveries,
  recordDeliveriesInTransaction,
  recordingTries,
} from '#app/delivery/actions/record_deliveries'
import Delivery from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { attemptNow } from '#app/delivery/values/attempt_report'
import { failedDelivery } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'
import { recordStatements } from '#tests/helpers/count_statements'
import { aNotification } from '#tests/helpers/inbox'
import { uniqueEmail } from '#tests/helpers/people'

const failed = (id: number, attempt = attemptNow('rejected', 550)) => ({
  id,
  outcome: { status: 'failed', statusReason: 'SMTP_ERROR: 550 no' } as const,
  results: new Map([['email' as const, failedDelivery('550 no', [attempt])]]),
})

const rowsOf = async (notificationId: number) => ({
  deliveries: await Delivery.query().where({ notificationId }),
  attempts: await DeliveryAttempt.query().where({ notificationId }),
})

test.group('The outcomes of deliveries', () => {
  test('are recorded even if one of the log entries is gone', async ({ assert }) => {
    const [kept, gone] = [await aNotification(uniqueEmail()), await aNotification(uniqueEmail())]
    await gone.delete()
    await recordDeliveries([failed(gone.id), failed(kept.id)])
    const { status, statusReason } = await Notification.findOrFail(kept.id)
    assert.deepEqual([status, statusReason], ['failed', 'SMTP_ERROR: 550 no'])
    const { deliveries, attempts } = await rowsOf(kept.id)
    assert.lengthOf(deliveries, 1)
    assert.lengthOf(attempts, 1)
  })

  test('are recorded together if they come together', async ({ assert }) => {
    const entries = [await aNotification(uniqueEmail()), await aNotification(uniqueEmail())]
    const statements = await recordStatements(() =>
      Promise.all(entries.map(({ id }) => recordDeliveries([failed(id)])))
    )
    const isInsert = /^record_deliveries_(?:0|unless_locked)$|insert into deliveries/
    assert.lengthOf(
      statements.filter((statement) => isInsert.test(statement)),
      1
    )
    for (const { id } of entries) assert.lengthOf((await rowsOf(id)).deliveries, 1)
  })

  test('do not wait for an entry of another request that is locked', async ({ assert }) => {
    // SQLite has one connection, which the lock uses.
    if (!usesPostgres()) return
    const [free, locked] = [await aNotification(uniqueEmail()), await aNotification(uniqueEmail())]
    const trx = await db.transaction()
    await Notification.query({ client: trx }).where('id', locked.id).forUpdate()
    const waiting = recordDeliveries([failed(locked.id)])
    await recordDeliveries([failed(free.id)])
    assert.lengthOf((await rowsOf(free.id)).deliveries, 1)
    assert.isEmpty((await rowsOf(locked.id)).deliveries)
    await trx.rollback()
    await waiting
    assert.lengthOf((await rowsOf(locked.id)).deliveries, 1)
    assert.lengthOf((await rowsOf(free.id)).attempts, 1)
  })

  test('are recorded even if one that comes with them cannot be', async ({ assert }) => {
    const [kept, other] = [await aNotification(uniqueEmail()), await aNotification(uniqueEmail())]
    const impossible = { ...failed(other.id), outcome: { status: null, statusReason: null } }
    await Promise.all([
      recordDeliveries([impossible as never]),
      recordDeliveries([failed(kept.id)]),
    ])
    assert.lengthOf((await rowsOf(kept.id)).deliveries, 1)
    assert.equal((await Notification.findOrFail(kept.id)).status, 'failed')
    assert.isEmpty((await rowsOf(other.id)).deliveries)
  })

  test('are recorded once if only the confirmation was lost', async ({ assert }) => {
    const { id } = await aNotification(uniqueEmail())
    const waiting = failedDelivery('429', [attemptNow('deferred', 429)], true)
    const finished = [{ ...failed(id), deferred: new Map([['push' as const, waiting]]) }]
    const nextTry = recordingTries()
    for (let tries = 0; tries < 2; tries++) {
      await PreparedQuery.inTransaction((run) =>
        recordDeliveriesInTransaction(finished, run, nextTry())
      )
    }
    const { deliveries, attempts } = await rowsOf(id)
    assert.lengthOf(deliveries, 1)
    const channels = attempts.map(({ channel }) => channel)
    assert.sameMembers(channels, ['email', 'push'])
  })

  test('are recorded by a repetition if nothing was before, also when the entry is sent again', async ({
    assert,
  }) => {
    const { id } = await aNotification(uniqueEmail())
    const earlier = '2026-01-01T00:00:00.000Z'
    const first = [failed(id, { ...attemptNow('rejected', 550), at: earlier })]
    const recordings = [
      { finished: first, recording: { recordedAt: earlier, isRepeated: false } },
      { finished: [failed(id)], recording: { ...recordingTries()(), isRepeated: true } },
    ]
    for (const { finished, recording } of recordings) {
      await PreparedQuery.inTransaction((run) =>
        recordDeliveriesInTransaction(finished, run, recording)
      )
    }
    const { deliveries, attempts } = await rowsOf(id)
    assert.lengthOf(deliveries, 2)
    assert.lengthOf(attempts, 2)
  })
})
