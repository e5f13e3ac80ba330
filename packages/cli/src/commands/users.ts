import { type Command, Option } from 'commander'
import { command, group, positiveInteger, booleanValue } from '../command.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { exportUser } from '../export_user.ts'
import { admins } from './admins.ts'
import { pushDevices } from './push_devices.ts'

const ONE = '/api/users/{email}'
const PREFERENCES = '/api/users/{email}/apps/{appCode}/preferences'
const COLUMNS = ['email', 'displayName', 'active', 'lastLoginAt', 'createdAt']
const SORTS = ['email', '-createdAt', '-lastLoginAt'] as const

interface Filters {
  search?: string
  app?: string
  role?: string
  active?: boolean
  sort?: (typeof SORTS)[number]
  limit: number
  all?: boolean
}

interface Preferences {
  showHelp?: boolean
  notifications?: boolean
}

export function users(program: Command): void {
  const parent = group(program, 'users', 'Manage users and administrators')

  command(parent, 'list', 'List users', [
    'concierge users list --search ada',
    'concierge users list --app shop --active true --all --output json',
    'concierge users list --app shop --role clerk',
    'concierge users list --sort -lastLoginAt --limit 10',
  ])
    .option('--search <text>', 'part of an e-mail address or name')
    .option('--app <app>', 'only users of this application')
    .option('--role <role>', 'only users with this role of the application')
    .option('--active <boolean>', 'only active (true) or inactive (false) users', booleanValue)
    .addOption(
      new Option('--sort <field>', 'sort order; those with - show the latest first').choices(SORTS)
    )
    .option('--limit <count>', 'maximum number of results', positiveInteger, 50)
    .option('--all', 'list all')
    .action(
      withSession(
        async (session, { app: appCode, active, sort, search, role, ...bounds }: Filters) => {
          const filter = {
            search,
            appCode,
            role,
            ...(active !== undefined && { active: booleanText(active) }),
            ...(sort && { sort }),
          }
          const found = await collect(bounds, (page) =>
            session.api.GET('/api/users', { params: { query: { ...filter, ...page } } })
          )
          session.print(found, COLUMNS)
        }
      )
    )

  command(parent, 'show <email>', 'Show a user', ['concierge users show ada@acme.example']).action(
    withSession(async (session, email: string) => {
      session.print(await unwrapData(session.api.GET(ONE, { params: { path: { email } } })))
    })
  )

  command(parent, 'logins <email>', 'List the logins and logouts of a user', [
    'concierge users logins alan@acme.example --limit 10',
    '',
    'The latest come first.',
  ])
    .option('--limit <count>', 'maximum number of results', positiveInteger, 50)
    .option('--all', 'list all')
    .action(
      withSession(async (session, email: string, bounds: { limit: number; all?: boolean }) => {
        const found = await collect(bounds, (query) =>
          session.api.GET(`${ONE}/login-records`, { params: { path: { email }, query } })
        )
        session.print(found, ['occurredAt', 'appCode', 'event', 'source'])
      })
    )

  command(parent, 'bind <email> <account>', 'Bind a user record to another account', [
    'concierge users bind alan@acme.example 300000000000000002',
    '',
    '<account> is the user id at the identity provider. Requires a super admin.',
  ]).action(
    withSession(async (session, email: string, account: string) => {
      await session.confirm(`Bind ${email} to account ${account}? Any other account loses access.`)
      await bindIdentity(session, email, account)
    })
  )

  command(parent, 'release <email>', 'Release a user record from its account', [
    'concierge users release alan@acme.example',
    '',
    'The next verified account with this address is bound to it. Requires a super admin.',
  ]).action(
    withSession(async (session, email: string) => {
      await session.confirm(`Release ${email}? The next verified account is bound to the record.`)
      await bindIdentity(session, email, null)
    })
  )

  command(parent, 'activate <email>', 'Reactivate a user', [
    'concierge users activate alan@acme.example',
    '',
    'Also reactivates the account at the identity provider, if Concierge is allowed to. Requires a',
    'super admin.',
  ]).action(withSession((session, email: string) => changeStatus(session, email, true)))

  command(parent, 'deactivate <email>', 'Deactivate a user without deleting anything', [
    'concierge users deactivate alan@acme.example',
    '',
    'All access ends immediately; roles and data stay. Also deactivates the account at the identity',
    'provider, if Concierge is allowed to. Requires a super admin.',
  ]).action(
    withSession(async (session, email: string) => {
      await session.confirm(`Deactivate ${email}? All their access ends immediately.`)
      await changeStatus(session, email, false)
    })
  )

  command(parent, 'erase <email>', 'Erase everything stored about a user', [
    'concierge users export alan@acme.example --out alan.json',
    'concierge users erase alan@acme.example',
    '',
    'Asks you to type the address. Log entries keep a pseudonym. Does not delete the account at the',
    'identity provider. Requires a super admin.',
  ]).action(
    withSession(async (session, email: string) => {
      await session.confirmByName(`Erase ${email}? This cannot be undone.`, email)
      await session.finish(session.api.DELETE(ONE, { params: { path: { email } } }))
    })
  )

  command(parent, 'export <email>', 'Export everything stored about a user', [
    'concierge users export alan@acme.example --out alan.json',
    "concierge users export alan@acme.example | jq '.loginRecords'",
    '',
    'Prints JSON, or YAML with --output yaml. Requires a super admin.',
  ])
    .option('--out <file>', 'write to a file that only you can read, instead of stdout')
    .option('--force', 'replace an existing file')
    .action(withSession(exportUser))

  command(parent, 'preferences <email> <app>', "Show or change a user's preferences", [
    'concierge users preferences alan@acme.example shop',
    'concierge users preferences alan@acme.example shop --notifications false',
  ])
    .option('--notifications <boolean>', 'whether the application sends messages', booleanValue)
    .option('--show-help <boolean>', 'whether the application shows help', booleanValue)
    .action(withSession(preferences))

  pushDevices(parent)
  admins(group(parent, 'admins', 'Manage administrators'))
}

async function bindIdentity(session: Session, email: string, idpUserId: string | null) {
  const params = { path: { email } }
  const user = await unwrapData(session.api.PUT(`${ONE}/identity`, { params, body: { idpUserId } }))
  const { active, idpUserId: account } = user
  session.print(
    session.options.output === 'table' ? { email: user.email, active, idpUserId: account } : user
  )
}

async function changeStatus(session: Session, email: string, active: boolean) {
  const params = { path: { email } }
  const user = await unwrapData(session.api.PUT(`${ONE}/active`, { params, body: { active } }))
  const { identityProvider } = user
  session.print(
    session.options.output === 'table' ? { email: user.email, active, identityProvider } : user
  )
}

async function preferences(session: Session, email: string, appCode: string, given: Preferences) {
  const { notifications, showHelp } = given
  const params = { path: { email, appCode } }
  const body = {
    ...(notifications !== undefined && { notificationsEnabled: notifications }),
    ...(showHelp !== undefined && { showHelp }),
  }
  const isChange = Object.keys(body).length > 0
  session.print(
    await unwrapData(
      isChange
        ? session.api.PUT(PREFERENCES, { params, body })
        : session.api.GET(PREFERENCES, { params })
    )
  )
}

const booleanText = (flag: boolean) => (flag ? ('true' as const) : ('false' as const))
