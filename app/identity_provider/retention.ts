import { ExpiredRows } from '#core/retention/expired_rows'

export const reconciliationSweeps = [
  new ExpiredRows({ table: 'reconciliation_runs', column: 'created_at', maxAge: { days: 90 } }),
]
