import { valueAt } from '#app/notifications/rendering/data_path'
import { hasVisibleText } from '#app/notifications/values/has_visible_text'

/** Without a template, the data is the message (notifications.md#messages-without-a-template). */
export function missingMessageFields(data: Record<string, unknown>): string[] {
  return ['subject', 'body'].filter((field) => {
    const text = valueAt(data, [field])
    return typeof text !== 'string' || !hasVisibleText(text)
  })
}
