import { ExpiredRows } from '#core/retention/expired_rows'
import MailBounce from '#app/suppressions/models/mail_bounce'

/** Older bounces do not count. Suppressions are kept until someone removes them. */
export const suppressionSweeps = [
  new ExpiredRows({
    table: MailBounce.table,
    column: 'created_at',
    maxAge: { days: MailBounce.keptDays },
  }),
]
