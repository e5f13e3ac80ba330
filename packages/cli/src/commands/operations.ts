import type { Command } from 'commander'
import { command } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'

export function operations(program: Command): void {
  command(
    program,
    'operations',
    'Show the state of the service: processes, queues, reachability and load',
    [
      'concierge operations',
      'concierge operations --output json',
      '',
      'Requires a global panel admin.',
    ]
  ).action(
    withSession(async (session) => {
      const state = await unwrapData(session.api.GET('/api/admin/operations'))
      if (session.options.output !== 'table') return session.print(state)
      const { version, database, smtp, identityProvider, cache, requests } = state
      session.print({
        version,
        database: database.kind,
        pendingMigrations: database.migrations.pending,
        smtp: smtp.error ?? smtp.status,
        identityProvider: identityProvider.error ?? identityProvider.status,
        cacheHitRate: cache.hitRate,
        requestsInLastHour: requests.reduce((sum, minute) => sum + minute.requests, 0),
        failedInLastHour: requests.reduce((sum, minute) => sum + minute.failed, 0),
      })
      session.text('')
      session.print(state.processes, PROCESS_COLUMNS)
      session.text('')
      session.print(state.queues, ['name', 'waiting', 'oldestAt'])
    })
  )
}

const PROCESS_COLUMNS = ['host', 'pid', 'kind', 'version', 'state', 'startedAt', 'seenAt']
