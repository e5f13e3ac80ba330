import { type Command, Option } from 'commander'
import { command, positiveInteger } from '../command.ts'
import { readText } from '../document.ts'
import { EXIT } from '../exit_codes.ts'
import { findRole } from '../lookup.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

const KINDS = ['role', 'override', 'administrator'] as const
const COLUMNS = [
  ...(['kind', 'email', 'role', 'permission', 'resourceType', 'resourceId'] as const),
  ...(['granted', 'accessLevel'] as const),
]
const SHOWN = 50

interface ImportOptions {
  dryRun?: boolean
}

interface Options {
  email?: string
  kind?: (typeof KINDS)[number]
  role?: string
  resourceType?: string
  resourceId?: string
  limit: number
  all?: boolean
}

export function assignments(parent: Command): void {
  command(parent, 'list <app>', 'List who has which roles, overrides and administration', [
    'concierge grants list shop --role clerk --all',
    'concierge grants list shop --kind override --resource-type order --output json',
  ])
    .option('--email <email>', 'filter by person')
    .addOption(new Option('--kind <kind>', 'filter by kind').choices(KINDS))
    .option('--role <role>', 'filter by role')
    .option('--resource-type <type>', 'filter by resource type')
    .option('--resource-id <id>', 'filter by resource')
    .option('--limit <count>', 'maximum number of results', positiveInteger, SHOWN)
    .option('--all', 'show all')
    .action(
      withSession(async (session, appCode: string, options: Options) => {
        const { email, kind, role, resourceType, resourceId, ...bounds } = options
        const query = {
          ...(email !== undefined && { email }),
          ...(kind && { kind }),
          ...(role !== undefined && { roleId: (await findRole(session, appCode, role)).id }),
          ...(resourceType !== undefined && { resourceType }),
          ...(resourceId !== undefined && { resourceId }),
        }
        const found = await collect<Record<string, unknown>>(bounds, (page) =>
          session.api.GET('/api/applications/{appCode}/assignments', {
            params: { path: { appCode }, query: { ...query, ...page } },
          })
        )
        session.print(found, COLUMNS)
      })
    )

  command(
    parent,
    'import <app> <file>',
    'Assign roles from a CSV file with columns email and role',
    [
      'concierge grants import shop people.csv --dry-run',
      'concierge grants import shop - < people.csv',
    ]
  )
    .option('--dry-run', 'show what would change, and every bad row')
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
