import type { Command } from 'commander'
import { command, group, positive, truth } from '../command.ts'
import { collect } from '../paging.ts'
import { data, withSession } from '../session.ts'
import { admins } from './admins.ts'

interface Filters {
  search?: string
  app?: string
  active?: boolean
  limit: number
  all?: boolean
}

export function users(program: Command): void {
  const parent = group(program, 'users', 'People, and who administers')

  command(parent, 'list', 'List people', [
    'concierge users list --search ada',
    'concierge users list --app shop --active true --all --output json',
  ])
    .option('--search <text>', 'part of an e-mail')
    .option('--app <app>', 'only people of this application')
    .option('--active <boolean>', 'only people who are (true) or are not (false) active', truth)
    .option('--limit <count>', 'how many at most', positive, 50)
    .option('--all', 'all of them')
    .action(
      withSession(async (session, { search, app: appCode, active, ...bounds }: Filters) => {
        const filter = { search, appCode, ...(active !== undefined && { active: said(active) }) }
        const found = await collect(bounds, (page) =>
          session.api.GET('/api/users', { params: { query: { ...filter, ...page } } })
        )
        session.print(found, ['email', 'active', 'createdAt'])
      })
    )

  command(parent, 'show <email>', 'Show one with their logins', [
    'concierge users show ada@acme.example',
  ]).action(
    withSession(async (session, email: string) => {
      const params = { path: { email } }
      session.print(await data(session.api.GET('/api/users/{email}', { params })))
    })
  )

  admins(group(parent, 'admins', 'Administrators of the platform, or of one application'))
}

const said = (flag: boolean) => (flag ? ('true' as const) : ('false' as const))
