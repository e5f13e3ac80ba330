import { type Command, Option } from 'commander'
import { command, positiveInteger } from '../command.ts'
import { findRole } from '../lookup.ts'
import { collect } from '../paging.ts'
import { withSession } from '../session.ts'

const KINDS = ['role', 'override', 'administrator'] as const
const COLUMNS = [
  ...(['kind', 'email', 'role', 'permission', 'resourceType', 'resourceId'] as const),
  ...(['granted', 'accessLevel'] as const),
]
const SHOWN = 50

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
}
