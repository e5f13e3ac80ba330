import { type Command, Option } from 'commander'
import { command, group, positiveInteger } from '../command.ts'
import { readText } from '../document.ts'
import { EXIT } from '../exit_codes.ts'
import { findPermission, findRole } from '../lookup.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

const KINDS = ['role', 'override', 'administrator'] as const
const COLUMNS = [
  ...(['kind', 'email', 'role', 'permission', 'resourceType', 'resourceId'] as const),
  ...(['granted', 'accessLevel', 'condition', 'state', 'validUntil'] as const),
]
const SHOWN = 50

interface ImportOptions {
  dryRun?: boolean
}

interface Options {
  search?: string
  email?: string
  kind?: (typeof KINDS)[number]
  role?: string
  permission?: string
  resourceType?: string
  resourceId?: string
  endsWithin?: number
  limit: number
  all?: boolean
}

export function assignments(program: Command): void {
  const parent = group(program, 'assignments', 'List and import the assignments of an application')

  command(parent, 'list <app>', 'List role assignments, overrides and administrators', [
    'concierge assignments list shop --role clerk --all',
    'concierge assignments list shop --kind override --resource-type order --output json',
    'concierge assignments list shop --ends-within 7',
  ])
    .option('--search <text>', 'part of an e-mail address')
    .option('--email <email>', 'filter by user')
    .addOption(new Option('--kind <kind>', 'filter by kind').choices(KINDS))
    .option('--role <role>', 'filter by role')
    .option('--permission <permission>', 'filter by permission, through roles and overrides')
    .option('--resource-type <type>', 'filter by resource type')
    .option('--resource-id <id>', 'filter by resource')
    .option(
      '--ends-within <days>',
      'list only what ends within this number of days',
      positiveInteger
    )
    .option('--limit <count>', 'maximum number of results', positiveInteger, SHOWN)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, options: Options) => {
        const { search, email, kind, role, permission, resourceType, resourceId, ...others } =
          options
        const { endsWithin: endsWithinDays, ...bounds } = others
        const query = {
          ...(search !== undefined && { search }),
          ...(email !== undefined && { email }),
          ...(kind && { kind }),
          ...(role !== undefined && { roleId: (await findRole(session, appCode, role)).id }),
          ...(permission !== undefined && {
            permissionId: (await findPermission(session, appCode, permission)).id,
          }),
          ...(resourceType !== undefined && { resourceType }),
          ...(resourceId !== undefined && { resourceId }),
          ...(endsWithinDays !== undefined && { endsWithinDays }),
        }
        const found = await collect<Record<string, unknown>>(bounds, (page) =>
          session.api.GET('/api/applications/{appCode}/assignments', {
            params: { path: { appCode }, query: { ...query, ...page } },
          })
        )
        session.print(found, COLUMNS)
      })
    )

  command(parent, 'import <app> <file>', 'Assign roles from a CSV file', [
    'concierge assignments import shop users.csv --dry-run',
    'concierge assignments import shop - < users.csv',
    '',
    'The file has the columns email and role, and can have validFrom and validUntil; - reads stdin.',
    'Assigns either all rows or none.',
    'Exits with 2 if a dry run finds invalid rows.',
  ])
    .option('--dry-run', 'show how many rows would be assigned, and every invalid row')
    .action(
      withSession(async (session, appCode: string, file: string, { dryRun }: ImportOptions) => {
        const { errors, ...counts } = await importFile(session, appCode, readText(file), dryRun)
        if (session.options.output !== 'table') session.print({ ...counts, errors })
        else if (errors.length === 0) session.print(counts)
        else session.print(errors, ['row', 'field', 'message'])
        if (errors.length > 0) process.exitCode = EXIT.negative
      })
    )
}

function importFile({ api }: Session, appCode: string, text: string, dryRun = false) {
  const query = dryRun ? { dryRun: 'true' as const } : {}
  return unwrapData(
    api.POST('/api/applications/{appCode}/assignments/import', {
      params: { path: { appCode }, query },
      headers: { 'content-type': 'text/csv' },
      body: text,
      bodySerializer: String,
    })
  )
}
