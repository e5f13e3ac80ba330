import { ExpiredRows } from '#core/retention/expired_rows'
import inboxConfig from '#config/inbox'

export const inboxSweeps = [
  new ExpiredRows({
    table: 'inbox_changes',
    column: 'at',
    maxAge: { hours: inboxConfig.keepChangesHours },
  }),
  new ExpiredRows({ table: 'inbox_stream_tickets', column: 'expires_at', maxAge: {} }),
]
