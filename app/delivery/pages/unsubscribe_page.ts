import { page } from '#core/pages/page'
import {
  type UnsubscribeLanguage,
  UNSUBSCRIBE_TEXTS,
} from '#app/notifications/values/unsubscribe_texts'
import type NotificationType from '#app/notifications/models/notification_type'
import { escapeHtml } from '#app/notifications/rendering/escape'

/** Asks first, because mail scanners open every link. */
export function confirmPage(type: NotificationType, language: UnsubscribeLanguage): string {
  const { title, question, button } = UNSUBSCRIBE_TEXTS[language]
  return page(
    title,
    `<p>${question(...namesOf(type))}</p>
    <form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click">
      <button type="submit">${button}</button>
    </form>`,
    language
  )
}

export function donePage(type: NotificationType, language: UnsubscribeLanguage): string {
  const { doneTitle, done } = UNSUBSCRIBE_TEXTS[language]
  return page(doneTitle, `<p role="status">${done(...namesOf(type))}</p>`, language)
}

const namesOf = ({ name, application }: NotificationType) =>
  [`<strong>${escapeHtml(name)}</strong>`, escapeHtml(application.name)] as const
