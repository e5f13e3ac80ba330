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
          // What was scheduled is kept until then, and as long as others afterwards.
          orColumn: 'scheduled_for',
          maxAge: { days },
        }),
      ]
