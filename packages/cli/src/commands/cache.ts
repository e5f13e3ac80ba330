import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'

export function cache(program: Command): void {
  const parent = group(program, 'cache', 'Manage the decision cache')
  command(parent, 'clear', 'Clear the decision cache of every process', [
    'concierge cache clear',
    '',
    'Only needed after changes made outside Concierge, such as a restored backup. Requires the private',
    'network.',
  ]).action(
    withSession(async (session) => {
      const params = { query: { everywhere: 'true' as const } }
      session.print(await unwrapData(session.api.POST('/api/check/cache/clear', { params })))
    })
  )
}
