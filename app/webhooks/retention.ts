import { ExpiredRows } from '#core/retention/expired_rows'
import retention from '#config/retention'

const { webhookDeliveriesDays: days } = retention

export const webhookSweeps =
  days === null
    ? []
    : [
        new ExpiredRows({
          table: 'webhook_deliveries',
          column: 'created_at',
          maxAge: { days },
        }),
      ]
