import type { Command } from 'commander'
import { command } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'

export function attention(program: Command): void {
  command(program, 'attention [app]', 'List what needs attention, the most urgent first', [
    'concierge attention',
    'concierge attention shop --output json',
    '',
    'Without an application, covers those that you can see and, for global panel admins, the platform.',
  ]).action(
    withSession(async (session, appCode: string | undefined) => {
      const query = { appCode }
      const found = await unwrapData(session.api.GET('/api/admin/attention', { params: { query } }))
      session.print(found, ['kind', 'appCode', 'count'])
    })
  )
}
