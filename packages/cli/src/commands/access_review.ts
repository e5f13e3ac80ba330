import { ConciergeProblem, type operations } from '@concierge/client'
import { type Command, Option } from 'commander'
import { command, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { type Session, withSession } from '../session.ts'
import { FORMATS, type Format } from '../terminal/print.ts'
import { writeText } from '../terminal/write_text.ts'

const REVIEW = '/api/applications/{appCode}/access-review'
/** A large review takes longer than other requests. */
const LONGEST_EXPORT_MS = 3_600_000

const COLUMNS = [
  'email',
  'active',
  'source',
  'role',
  'permission',
  'accessLevel',
  'resource',
  'condition',
  'state',
  'since',
  'givenBy',
  'validUntil',
  'lastLoginAt',
]

type Query = NonNullable<operations['audit.access_reviews.show']['parameters']['query']>
type Filter = Omit<Query, 'limit' | 'cursor'>

const SOURCES: NonNullable<Filter['source']>[] = ['superadmin', 'app_admin', 'role', 'override']
const STATES: NonNullable<Filter['state']>[] = ['active', 'scheduled', 'ended']

interface Options {
  app: string
  format?: Format | 'csv'
  user?: string
  source?: Filter['source']
  role?: string
  permission?: string
  state?: Filter['state']
  endsWithin?: number
  inactive?: true
  withoutLoginFor?: number
}

interface Right extends Record<string, unknown> {
  permission: string | null
  granted: boolean
  accessLevel: string | null
  resourceType: string | null
  resourceId: string | null
  givenBy: { kind: string; email: string | null; name: string | null } | null
}

export function accessReview(program: Command): void {
  command(program, 'access-review', 'Review who has access to an application, and who gave it', [
    'concierge access-review --app shop',
    'concierge access-review --app shop --format csv > shop.csv',
    'concierge access-review --app shop --source override --without-login-for 90',
    '',
    'Lists every right of every user, from roles and overrides and as an administrator or super',
    'admin. An asterisk means all permissions. givenBy is unknown if the audit trail has no entry.',
    'Requires the panel level view on the application.',
  ])
    .requiredOption('--app <app>', 'application')
    .addOption(
      new Option('--format <format>', 'output format, in place of --output').choices([
        ...FORMATS,
        'csv',
      ])
    )
    .option('--user <email>', 'only rights of this user')
    .addOption(new Option('--source <source>', 'only rights from this source').choices(SOURCES))
    .option('--role <role>', 'only rights from the role with this code')
    .option('--permission <permission>', 'only rights to the permission with this code')
    .addOption(new Option('--state <state>', 'only rights in this state').choices(STATES))
    .option(
      '--ends-within <days>',
      'only rights that end within this number of days',
      positiveInteger
    )
    .option('--inactive', 'only rights of inactive users')
    .option(
      '--without-login-for <days>',
      'only rights of users who have not logged in to the application for this number of days',
      positiveInteger
    )
    .action(withSession(review))
}

async function review(session: Session, options: Options) {
  const { app, format = session.options.output } = options
  const filter = filterOf(options)
  if (format === 'csv') return writeCsv(session, app, filter)
  const rights = await collect<Right>({ limit: Infinity, all: true }, async (query) => {
    const params = { path: { appCode: app }, query: { ...query, ...filter } }
    const { data, ...rest } = await session.api.GET(REVIEW, { params })
    // The route sends CSV and other text only on request.
    return { data: data as { data: Right[] } | undefined, ...rest }
  })
  const shown = format === 'table' ? rights.map(rowOf) : rights
  session.print(shown, COLUMNS, format)
}

function filterOf({ user, endsWithin, inactive, withoutLoginFor, ...options }: Options): Filter {
  const { source, role, permission, state } = options
  return {
    email: user,
    source,
    role,
    permission,
    state,
    ...(endsWithin !== undefined && { endsWithinDays: endsWithin }),
    ...(inactive && { active: 'false' }),
    ...(withoutLoginFor !== undefined && { noLoginForDays: withoutLoginFor }),
  }
}

async function writeCsv(session: Session, appCode: string, query: Filter) {
  const { api } = session.client(LONGEST_EXPORT_MS)
  const { data, error, response } = await api.GET(REVIEW, {
    params: { path: { appCode }, query },
    headers: { accept: 'text/csv' },
    parseAs: 'stream',
  })
  if (!response.ok) throw new ConciergeProblem(response.status, error)
  await writeText(data!)
}

function rowOf({ permission, granted, accessLevel, resourceType, resourceId, ...rest }: Right) {
  const { givenBy } = rest
  return {
    ...rest,
    permission: permission ?? '*',
    accessLevel: granted ? accessLevel : 'denied',
    resource: resourceType === null ? null : `${resourceType}:${resourceId}`,
    givenBy: givenBy === null ? 'unknown' : (givenBy.email ?? givenBy.name ?? givenBy.kind),
  }
}
