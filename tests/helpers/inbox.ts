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

/** The next page of the `Link` header; null on the last page. */
export function nextPage(response: { header(name: string): unknown }): string | null {
  const match = /^<([^>]+)>; rel="next"$/.exec(String(response.header('link') ?? ''))
  return match?.[1] ?? null
}
