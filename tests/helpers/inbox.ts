import Notification from '#app/notifications/models/notification'

/** A row of the log, as a send leaves it. */
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

/** Path and query of the next page, as the `Link` header of a list names it; null on the last page. */
export function nextPage(response: { header(name: string): unknown }): string | null {
  const match = /^<([^>]+)>; rel="next"$/.exec(String(response.header('link') ?? ''))
  return match?.[1] ?? null
}
