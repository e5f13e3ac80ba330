import type NotificationBounced from '#app/bounces/events/notification_bounced'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { listensTo, subscriptions } from '#app/webhooks/subscriptions'

const TYPE = 'notification.bounced'

/** Stores the events of a bounce in the transaction that records it. */
export default class StoreBounce {
  async handle({ notification, kind, suppression, trx }: NotificationBounced) {
    if (!subscriptions.mayWant([TYPE])) return
    const { id: notificationId, email, appCode, type } = notification
    const message = { email, appCode, createdAt: notification.createdAt.toMillis() }
    const listening = (await subscriptions.read(trx)).filter((one) => listensTo(one, TYPE, message))
    const events = listening.map(({ webhookId, application }) => ({
      ...({ webhookId, type: TYPE, email } as const),
      data: { application, notificationId, type, recipientEmail: email, kind, suppression },
    }))
    await storeEvents(events, trx)
  }
}
