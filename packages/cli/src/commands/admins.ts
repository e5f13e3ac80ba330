import type { Command } from 'commander'
import { command } from '../command.ts'
import { data, withSession } from '../session.ts'

const SUPER = '/api/users/admins'
const OF_APP = '/api/users/admins/apps/{appCode}'

interface Where {
  app?: string
}

export function admins(parent: Command): void {
  const app = ['--app <app>', 'of this application'] as const

  command(parent, 'list', 'List them', [
    'concierge users admins list',
    'concierge users admins list --app shop',
  ])
    .option(...app)
    .action(
      withSession(async (session, { app: appCode }: Where) => {
        const found = appCode
          ? await data(session.api.GET(OF_APP, { params: { path: { appCode } } }))
          : await data(session.api.GET(SUPER))
        session.print(found, ['email', 'createdAt'])
      })
    )

  command(parent, 'add <email>', 'Make somebody one', [
    'concierge users admins add grace@acme.example --app shop',
  ])
    .option(...app)
    .action(
      withSession(async (session, email: string, { app: appCode }: Where) => {
        const body = { email }
        const added = appCode
          ? await data(session.api.POST(OF_APP, { params: { path: { appCode } }, body }))
          : await data(session.api.POST(SUPER, { body }))
        session.print(added)
      })
    )

  command(parent, 'remove <email>', 'Make somebody none any more', [
    'concierge users admins remove grace@acme.example --app shop --yes',
  ])
    .option(...app)
    .action(
      withSession(async (session, email: string, { app: appCode }: Where) => {
        const what = appCode ? `an administrator of ${appCode}` : 'a super admin'
        await session.confirm(`${email} is ${what} no more?`)
        await session.done(
          appCode
            ? session.api.DELETE(`${OF_APP}/{email}`, { params: { path: { appCode, email } } })
            : session.api.DELETE(`${SUPER}/{email}`, { params: { path: { email } } })
        )
      })
    )
}
