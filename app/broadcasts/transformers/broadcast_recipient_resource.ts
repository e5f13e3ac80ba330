import { stringify } from 'csv-stringify/sync'
import type { ListedRecipient } from '#app/broadcasts/actions/read_recipient_page'
import type { RecipientStatus } from '#app/broadcasts/values/recipient_status'

/** See broadcasts.md#recipients. */
export function broadcastRecipientResource({ recipient, entry }: ListedRecipient) {
  return {
    email: recipient.email,
    status: (recipient.status ?? 'waiting') as RecipientStatus,
    statusReason: entry?.statusReason ?? null,
    notificationId: entry?.id ?? null,
  }
}

/** With a header line. Spreadsheets do not read any text as a formula. */
export function recipientsCsv(recipients: ListedRecipient[]): string {
  return stringify(recipients.map(broadcastRecipientResource), {
    header: true,
    columns: ['email', 'status', 'statusReason', 'notificationId'],
    escape_formulas: true,
  })
}
