import { valueAt } from '#app/notifications/rendering/data_path'

/** A character that is shown, unlike a zero-width space. */
const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u

/** Without a template, the data is the message (notifications.md#messages-without-a-template). */
export function missingMessageFields(data: Record<string, unknown>): string[] {
  return ['subject', 'body'].filter((field) => {
    const text = valueAt(data, [field])
    return typeof text !== 'string' || !VISIBLE.test(text)
  })
}
