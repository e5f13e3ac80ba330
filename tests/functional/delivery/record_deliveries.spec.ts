import { test } from '@japa/runner'
import { PreparedQuery } from '#core/database/prepared_query'
import {
  recordDeliveries,
  recordDeliveriesInTransaction,
} from '#app/delivery/actions/record_deliveries'
import Delivery from '#app/delivery/models/delivery'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { recordDeliveryStatements } from '#app/delivery/queries/record_delivery_statements'
import { attemptNow } from '#app/delivery/values/attempt_report'
import { failedDelivery } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'
import { aNotification } from '#tests/helpers/inbox'
import { uniqueEmail } from '#tests/helpers/people'

const failed = (id: number) => ({
  id,
  outcome: { status: 'failed', statusReason: 'SMTP_ERROR: 550 no' } as const,
  results: new Map([['email' as const, failedDelivery('550 no', [attemptNow('rejected', 550)])]]),
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

  test('are recorded once if only the confirmation was lost', async ({ assert }) => {
    const { id } = await aNotification(uniqueEmail())
    await recordDeliveries([failed(id)])
    const at = new Date().toISOString()
    const outcome = { notification_id: id, status: 'failed', status_reason: 'SMTP_ERROR: 550 no' }
    const attempt = { notification_id: id, channel: 'email', at, outcome: 'rejected', code: 550 }
    const delivery = {
      ...{ notification_id: id, channel: 'email', status: 'failed' },
      ...{ attempts: 1, recorded_at: at },
    }
    const values = [[outcome], [delivery], [attempt]].map((rows) => JSON.stringify(rows))
    for (const statement of recordDeliveryStatements()) await statement.all([...values, 1])
    const { deliveries, attempts } = await rowsOf(id)
    assert.lengthOf(deliveries, 1)
    assert.lengthOf(attempts, 1)
  })

  test('of a broadcast are recorded once if only the confirmation was lost', async ({ assert }) => {
    const { id } = await aNotification(uniqueEmail())
    for (const isRepeated of [false, true]) {
      await PreparedQuery.inTransaction((run) =>
        recordDeliveriesInTransaction([failed(id)], run, isRepeated)
      )
    }
    const { deliveries, attempts } = await rowsOf(id)
    assert.lengthOf(deliveries, 1)
    assert.lengthOf(attempts, 1)
  })
})
