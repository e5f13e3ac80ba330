import { page } from '#core/pages/page'
import type NotificationType from '#app/notifications/models/notification_type'
import { escapeHtml } from '#app/notifications/rendering/escape'

/** Asks before anything changes: mail scanners open every link they find. */
export function confirmPage(type: NotificationType): string {
  return page(
    'Unsubscribe',
    `<p>${escapeHtml(type.application.name)} sends you e-mails of the kind <strong>${escapeHtml(type.name)}</strong>. Do you want to stop them?</p>
    <form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click">
      <button type="submit">Stop these e-mails</button>
    </form>`
  )
}

export function donePage(type: NotificationType): string {
  return page(
    'You are unsubscribed',
    `<p role="status">${escapeHtml(type.application.name)} sends you no more e-mails of the kind <strong>${escapeHtml(type.name)}</strong>. You can switch them on again in your notification preferences.</p>`
  )
}
