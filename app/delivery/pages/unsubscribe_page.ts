import { page } from '#core/pages/page'
import type NotificationType from '#app/notifications/models/notification_type'
import { escapeHtml } from '#app/notifications/rendering/escape'

/** Asks first, because mail scanners open every link. */
export function confirmPage(type: NotificationType): string {
  return page(
    'Unsubscribe',
    `<p>Do you want to stop receiving <strong>${escapeHtml(type.name)}</strong> e-mails from ${escapeHtml(type.application.name)}?</p>
    <form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click">
      <button type="submit">Unsubscribe</button>
    </form>`
  )
}

export function donePage(type: NotificationType): string {
  return page(
    'You are unsubscribed',
    `<p role="status">You will no longer receive <strong>${escapeHtml(type.name)}</strong> e-mails from ${escapeHtml(type.application.name)}. You can turn them on again in your notification preferences.</p>`
  )
}
