import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { data, withSession } from '../session.ts'

export function cache(program: Command): void {
  const parent = group(program, 'cache', 'Remembered decisions of checks')
  command(parent, 'clear', 'Make every process forget them', [
    'concierge cache clear',
    '',
    'Changes made through Concierge show at once without it. Asked from the private network.',
  ]).action(
    withSession(async (session) => {
      const params = { query: { everywhere: 'true' as const } }
      session.print(await data(session.api.POST('/api/check/cache/clear', { params })))
    })
  )
}
