import type { Command } from 'commander'
import { command, group, positiveInteger, booleanValue } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'
import { admins } from './admins.ts'

interface Filters {
  search?: string
  app?: string
  active?: boolean
  limit: number
  all?: boolean
}

export function users(program: Command): void {
  const parent = group(program, 'users', 'Manage users and administrators')

  command(parent, 'list', 'List users', [
    'concierge users list --search ada',
    'concierge users list --app shop --active true --all --output json',
  ])
    .option('--search <text>', 'part of an e-mail address or name')
    .option('--app <app>', 'only users of this application')
    .option('--active <boolean>', 'only active (true) or inactive (false) users', booleanValue)
    .option('--limit <count>', 'maximum number of results', positiveInteger, 50)
    .option('--all', 'list all')
    .action(
      withSession(async (session, { search, app: appCode, active, ...bounds }: Filters) => {
        const filter = {
          search,
          appCode,
          ...(active !== undefined && { active: booleanText(active) }),
        }
        const found = await collect(bounds, (page) =>
          session.api.GET('/api/users', { params: { query: { ...filter, ...page } } })
        )
        session.print(found, ['email', 'active', 'createdAt'])
      })
    )

  command(parent, 'show <email>', 'Show a user with their logins', [
    'concierge users show ada@acme.example',
  ]).action(
    withSession(async (session, email: string) => {
      const params = { path: { email } }
      session.print(await unwrapData(session.api.GET('/api/users/{email}', { params })))
    })
  )

  admins(group(parent, 'admins', 'Manage administrators of the platform or of an application'))
}

const booleanText = (flag: boolean) => (flag ? ('true' as const) : ('false' as const))
