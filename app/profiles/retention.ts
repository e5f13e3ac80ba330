import { ExpiredRows } from '#core/retention/expired_rows'
import retentionConfig from '#config/retention'

const { loginRecordsDays: days } = retentionConfig

/** Login statistics are kept with the preferences and are not deleted. */
export const profileSweeps = [
  ...(days === null
    ? []
    : [new ExpiredRows({ table: 'login_records', column: 'occurred_at', maxAge: { days } })]),
  new ExpiredRows({ table: 'registration_locales', column: 'expires_at', maxAge: {} }),
]
