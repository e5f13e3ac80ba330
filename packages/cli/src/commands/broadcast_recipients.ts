import { type Command, Option } from 'commander'
import { BROADCAST, parseId } from '../broadcasts/broadcast_path.ts'
import { command, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'

const STATUSES = ['waiting', 'sent', 'failed', 'skipped'] as const

type Recipient = Record<string, unknown>

interface RecipientOptions {
  status?: (typeof STATUSES)[number]
  limit: number
  all?: boolean
}

/** The commands that say what became of the recipients. */
export function broadcastRecipients(parent: Command): void {
  addRecipients(parent)
  addReasons(parent)
}

function addRecipients(parent: Command) {
  command(parent, 'recipients <app> <id>', 'List the recipients of a broadcast and their status', [
    'concierge broadcast recipients shop 42 --status failed',
    'concierge broadcast recipients shop 42 --all --output json',
  ])
    .addOption(
      new Option('--status <status>', 'only recipients with this status').choices(STATUSES)
    )
    .option('--limit <count>', 'maximum number of results', positiveInteger, 50)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, id: string, options: RecipientOptions) => {
        const { status, ...bounds } = options
        const path = { appCode, id: parseId(id) }
        const found = await collect<Recipient>(bounds, async (page) => {
          const params = { path, query: { ...page, ...(status && { status }) } }
          const { data, ...rest } = await session.api.GET(`${BROADCAST}/recipients`, { params })
          // The route also sends CSV and other text, but only if it is asked to.
          return { data: data as { data: Recipient[] } | undefined, ...rest }
        })
        session.print(found, ['email', 'status', 'statusReason', 'notificationId'])
      })
    )
}

function addReasons(parent: Command) {
  const reasons = 'Count why recipients of a broadcast failed or were skipped'
  command(parent, 'reasons <app> <id>', reasons, ['concierge broadcast reasons shop 42']).action(
    withSession(async (session, appCode: string, id: string) => {
      const params = { path: { appCode, id: parseId(id) } }
      const found = await unwrapData(session.api.GET(`${BROADCAST}/reasons`, { params }))
      if (session.options.output !== 'table') return session.print(found)
      const rows = Object.entries(found).flatMap(([status, { reasons: counted }]) =>
        counted.map(({ reason, count }) => ({ status, reason, count }))
      )
      session.print(rows, ['status', 'reason', 'count'])
    })
  )
}
