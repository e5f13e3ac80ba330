import { ExpiredRows } from '#core/retention/expired_rows'
import { recordAbandoned } from '#app/identity_provider/zitadel/begun_changes'

export const identityProviderSweeps = [
  new ExpiredRows({ table: 'reconciliation_runs', column: 'created_at', maxAge: { days: 90 } }),
  new ExpiredRows({
    table: 'begun_provider_changes',
    column: 'begun_at',
    // No change takes that long.
    maxAge: { minutes: 10 },
    record: recordAbandoned,
  }),
]
