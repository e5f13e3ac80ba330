import { ExpiredRows } from '#core/retention/expired_rows'
import IdempotencyKey from '#app/delivery/models/idempotency_key'

export const deliverySweeps = [
  new ExpiredRows({
    table: 'idempotency_keys',
    column: 'created_at',
    maxAge: { hours: IdempotencyKey.lifetimeHours },
  }),
]
