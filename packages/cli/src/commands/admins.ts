import type { Command } from 'commander'
import { command } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'
import { type WindowOptions, inWindow, windowOf } from '../time_window.ts'

const SUPER = '/api/users/admins'
const OF_APP = '/api/users/admins/apps/{appCode}'

interface Where {
  app?: string
}
interface Addition extends Where, WindowOptions {}

export function admins(parent: Command): void {
  const app = ['--app <app>', 'application; by default the platform (super admins)'] as const

  command(parent, 'list', 'List administrators', [
    'concierge users admins list',
    'concierge users admins list --app shop',
  ])
    .option(...app)
    .action(
      withSession(async (session, { app: appCode }: Where) => {
        const found = appCode
          ? await unwrapData(session.api.GET(OF_APP, { params: { path: { appCode } } }))
          : await unwrapData(session.api.GET(SUPER))
        session.print(found, ['email', 'createdAt', 'state', 'validUntil'])
      })
    )

  inWindow(
    command(parent, 'add <email>', 'Add an administrator', [
      'concierge users admins add grace@acme.example --app shop',
      'concierge users admins add grace@acme.example --app shop --until 2027-01-01',
    ]).option(...app)
  ).action(
    withSession(async (session, email: string, { app: appCode, ...limits }: Addition) => {
      const body = { email, ...windowOf(limits) }
      const added = appCode
        ? await unwrapData(session.api.POST(OF_APP, { params: { path: { appCode } }, body }))
        : await unwrapData(session.api.POST(SUPER, { body }))
      session.print(added)
    })
  )

  command(parent, 'remove <email>', 'Remove an administrator', [
    'concierge users admins remove grace@acme.example --app shop --yes',
  ])
    .option(...app)
    .action(
      withSession(async (session, email: string, { app: appCode }: Where) => {
        const role = appCode ? `administrator of ${appCode}` : 'super admin'
        await session.confirm(`Remove ${email} as ${role}?`)
        await session.finish(
          appCode
            ? session.api.DELETE(`${OF_APP}/{email}`, { params: { path: { appCode, email } } })
            : session.api.DELETE(`${SUPER}/{email}`, { params: { path: { email } } })
        )
      })
    )
}
