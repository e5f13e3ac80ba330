import { type Command, Option } from 'commander'
import { command, group, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'
import { toTimestamp } from '../timestamp.ts'

const ACTORS = ['user', 'server', 'command', 'provider', 'system'] as const
const LATEST = 50

interface Options {
  user?: string
  actor?: string
  actorKind?: (typeof ACTORS)[number]
  action?: string
  from?: string
  to?: string
  limit: number
  all?: boolean
}

interface Entry extends Record<string, unknown> {
  actor: { kind: string; email: string | null; name: string | null }
  target: { kind: string; label: string }
}

export function audit(program: Command): void {
  const parent = group(program, 'audit', 'Show who changed what')

  command(
    parent,
    'list [app]',
    'List changes, latest first',
    [
      'concierge audit list shop --action role.permissions_replaced',
      'concierge audit list --user alan@acme.example --all --output json',
      'concierge audit list --actor ada@acme.example --from 2027-01-01',
      '',
      'Without an application, lists the changes that you can see: all of them for a global panel',
      'admin. JSON output includes the values before and after each change.',
    ],
    { isDefault: true }
  )
    .option('--user <email>', 'only changes of the access or the record of a user')
    .option('--actor <email>', 'only changes by a user')
    .addOption(
      new Option('--actor-kind <kind>', 'only changes by this kind of actor').choices(ACTORS)
    )
    .option('--action <action>', 'only this kind of change, such as role.updated')
    .option('--from <time>', 'only changes from this time on, such as 2027-01-01', toTimestamp)
    .option('--to <time>', 'only changes before this time', toTimestamp)
    .option('--limit <count>', 'maximum number of results', positiveInteger, LATEST)
    .option('--all', 'list all')
    .action(
      withSession(async (session, application: string | undefined, options: Options) => {
        const { user, limit, all, action, ...filters } = options
        const query = { ...filters, application, email: user, action: action as never }
        const found = await collect<Entry>({ limit, all }, async (page) => {
          const params = { query: { ...query, ...page } }
          const { data, ...rest } = await session.api.GET('/api/admin/audit', { params })
          // The route also sends CSV and other text, but only if it is asked to.
          return { data: data as { data: Entry[] } | undefined, ...rest }
        })
        if (session.options.output !== 'table') return session.print(found)
        session.print(found.map(rowOf))
      })
    )

  command(parent, 'head', 'Show the head of the chain of changes, to keep it elsewhere', [
    'concierge audit head --output json',
    '',
    '`node ace audit:verify --from-head=<sequence>:<hash>` later proves that nothing up to it was',
    'altered or removed.',
  ]).action(
    withSession(async (session) => {
      session.print(await unwrapData(session.api.GET('/api/admin/audit/head', {})))
    })
  )
}

function rowOf({ id, at, actor, action, application, target, reason }: Entry) {
  const by = actor.email ?? actor.name ?? actor.kind
  return { id, at, by, action, application, target: `${target.kind} ${target.label}`, reason }
}
