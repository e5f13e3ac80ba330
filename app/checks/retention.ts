import { ExpiredRows } from '#core/retention/expired_rows'
import operationsConfig from '#config/operations'

const { activityDays: days } = operationsConfig

export const checkSweeps = [
  new ExpiredRows({ table: 'check_counts', column: 'day', maxAge: { days } }),
]
