import { ExpiredRows } from '#core/retention/expired_rows'

export const sessionSweeps = [
  new ExpiredRows({ table: 'panel_used_states', column: 'expires_at', maxAge: {} }),
  new ExpiredRows({ table: 'panel_sessions', column: 'expires_at', maxAge: {} }),
]
