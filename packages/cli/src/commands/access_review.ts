import { ConciergeProblem } from '@concierge/client'
import { type Command, Option } from 'commander'
import { command } from '../command.ts'
import { collect } from '../paging.ts'
import { type Session, withSession } from '../session.ts'
import { FORMATS, type Format } from '../terminal/print.ts'
import { writeText } from '../terminal/write_text.ts'

const REVIEW = '/api/applications/{appCode}/access-review'
/** A large review takes longer than other requests. */
const LONGEST_EXPORT_MS = 3_600_000

const COLUMNS = [
  ...['email', 'active', 'source', 'role', 'permission', 'accessLevel', 'resource', 'condition'],
  ...['state', 'since', 'givenBy', 'validUntil'],
]

interface Options {
  app: string
  format?: Format | 'csv'
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
    .action(withSession(review))
}

async function review(session: Session, { app, format = session.options.output }: Options) {
  if (format === 'csv') return writeCsv(session, app)
  const rights = await collect<Right>({ limit: Infinity, all: true }, async (query) => {
    const params = { path: { appCode: app }, query }
    const { data, ...rest } = await session.api.GET(REVIEW, { params })
    // The route sends CSV and other text only on request.
    return { data: data as { data: Right[] } | undefined, ...rest }
  })
  const shown = format === 'table' ? rights.map(rowOf) : rights
  session.print(shown, COLUMNS, format)
}

async function writeCsv(session: Session, appCode: string) {
  const { api } = session.client(LONGEST_EXPORT_MS)
  const { data, error, response } = await api.GET(REVIEW, {
    params: { path: { appCode } },
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
