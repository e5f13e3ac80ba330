import { ExpiredRows } from '#core/retention/expired_rows'
import { KEY_LIFETIME_HOURS } from '#app/delivery/actions/run_once_per_key'

export const deliverySweeps = [
  new ExpiredRows({
    table: 'idempotency_keys',
    column: 'created_at',
    maxAge: { hours: KEY_LIFETIME_HOURS },
  }),
]
