import { ExpiredRows } from '#core/retention/expired_rows'
import { REMEMBERED_HOURS } from '#app/delivery/actions/once_per_key'

export const deliverySweeps = [
  new ExpiredRows({
    table: 'idempotency_keys',
    column: 'created_at',
    keep: { hours: REMEMBERED_HOURS },
  }),
]
