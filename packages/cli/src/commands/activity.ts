import type { Command } from 'commander'
import { command, positiveInteger } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'

const COLUMNS = ['date', 'checks', 'deliveries', 'failures', 'logins']

export function activity(program: Command): void {
  command(program, 'activity [app]', 'Show checks, deliveries and logins per day', [
    'concierge activity',
    'concierge activity shop --days 90 --output json',
    '',
    'Without an application, adds up those that you can see. Days are in UTC.',
  ])
    .option('--days <count>', 'number of days, up to 90', positiveInteger, 30)
    .action(
      withSession(async (session, appCode: string | undefined, { days }: { days: number }) => {
        const query = { appCode, days }
        const found = await unwrapData(
          session.api.GET('/api/admin/activity', { params: { query } })
        )
        session.print(found, COLUMNS)
      })
    )
}
