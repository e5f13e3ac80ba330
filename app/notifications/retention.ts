import { ExpiredRows } from '#core/retention/expired_rows'
import retentionConfig from '#config/retention'

const { notificationsDays: days } = retentionConfig

export const notificationSweeps =
  days === null
    ? []
    : [
        new ExpiredRows({
          table: 'notifications',
          column: 'created_at',
          // What was scheduled, or waits for a digest, is kept until then.
          orColumn: 'scheduled_for',
          unless: `exists (select 1 from digest_items
            where digest_items.notification_id = notifications.id)`,
          maxAge: { days },
        }),
      ]
