import type { ApiResponse } from '@japa/api-client'
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

const LARGE = 60_000

/** Messages that together exceed the buffers of the operating system. */
export async function manyLargeNotifications(email: string, count: number) {
  const { $attributes } = await aNotification(email, { payload: { text: 'x'.repeat(LARGE) } })
  const { id, ...message } = $attributes
  await Notification.createMany(Array.from({ length: count - 1 }, () => message))
}

interface Item {
  id: number
  body: { text: string | null; html: string | null }
  url: string | null
  readAt: string | null
  archivedAt: string | null
  snoozedUntil: string | null
}

export const INBOX = '/api/profile/me/notifications/inbox'

/** What a person sees there. */
export async function inboxOf(
  person: { get(path: string): Promise<ApiResponse> },
  query = ''
): Promise<Item[]> {
  const response = await person.get(INBOX + query)
  response.assertStatus(200)
  return response.body().response
}
