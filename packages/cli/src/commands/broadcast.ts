import { type Command, Option } from 'commander'
import { BROADCAST, BROADCASTS, parseId } from '../broadcasts/broadcast_path.ts'
import { followAndPrint } from '../broadcasts/follow_broadcast.ts'
import { command, group, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'
import { broadcastContent } from './broadcast_content.ts'
import { broadcastRecipients } from './broadcast_recipients.ts'

const COLUMNS = ['id', 'status', 'type', 'processed', 'total', 'failed', 'skipped', 'createdAt']
const STATUSES = ['scheduled', 'running', 'paused', 'completed', 'cancelled', 'failed'] as const
const STEPS = {
  pause: 'Pause a broadcast',
  resume: 'Resume a paused broadcast',
  cancel: 'Cancel a broadcast permanently',
} as const

interface ListOptions {
  status?: (typeof STATUSES)[number]
  type?: string
  limit: number
  all?: boolean
}

export function broadcast(program: Command): void {
  const parent = group(program, 'broadcast', 'Send one message to many recipients')
  broadcastContent(parent)
  broadcastRecipients(parent)

  command(parent, 'list <app>', 'List broadcasts, latest first', ['concierge broadcast list shop'])
    .addOption(
      new Option('--status <status>', 'only broadcasts with this status').choices(STATUSES)
    )
    .option('--type <code>', 'only broadcasts of this notification type')
    .option('--limit <count>', 'maximum number of results', positiveInteger, 20)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, options: ListOptions) => {
        const { status, type, ...bounds } = options
        const filter = { ...(status && { status }), ...(type !== undefined && { type }) }
        const found = await collect(bounds, (page) =>
          session.api.GET(BROADCASTS, {
            params: { path: { appCode }, query: { ...page, ...filter } },
          })
        )
        session.print(found, COLUMNS)
      })
    )

  command(parent, 'status <app> <id>', 'Show the progress of a broadcast', [
    'concierge broadcast status shop 42',
  ]).action(
    withSession(async (session, appCode: string, id: string) => {
      const params = { path: { appCode, id: parseId(id) } }
      session.print(await unwrapData(session.api.GET(BROADCAST, { params })))
    })
  )

  command(parent, 'follow <app> <id>', 'Follow a broadcast until it ends', [
    'concierge broadcast follow shop 42',
    '',
    'Ctrl-C does not stop the broadcast. Exits with 2 if it is paused or ends early.',
  ]).action(
    withSession(async (session, appCode: string, id: string) => {
      await followAndPrint(session, appCode, parseId(id))
    })
  )

  for (const [step, summary] of Object.entries(STEPS)) {
    addStep(parent, step as keyof typeof STEPS, summary)
  }
}

function addStep(parent: Command, step: keyof typeof STEPS, summary: string) {
  command(parent, `${step} <app> <id>`, summary, [`concierge broadcast ${step} shop 42`]).action(
    withSession(async (session, appCode: string, id: string) => {
      if (step === 'cancel')
        await session.confirm(`Cancel broadcast ${id} of ${appCode} permanently?`)
      const params = { path: { appCode, id: parseId(id) } }
      session.print(await unwrapData(session.api.POST(`${BROADCAST}/${step}`, { params })))
    })
  )
}
