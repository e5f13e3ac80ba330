import Notification from '#app/notifications/models/notification'

export function aNotification(email: string, fields: Partial<Notification> = {}) {
  return Notification.create({
    email,
    appCode: 'shop',
    appName: 'Shop',
    type: 'order-shipped',
    templateKey: null,
    locale: 'en',
    subject: 'Your order is on its way',
    status: 'sent',
    statusReason: null,
    payload: {},
    inInbox: true,
    ...fields,
  })
}
