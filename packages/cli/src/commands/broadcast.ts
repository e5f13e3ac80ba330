import { type Command, Option } from 'commander'
import { exitCodeOf, followBroadcast } from '../broadcasts/follow_broadcast.ts'
import {
  type ChangeOptions,
  type SendOptions,
  broadcastChanges,
  broadcastRequest,
} from '../broadcasts/broadcast_request.ts'
import { appendValue, command, group, positiveInteger, wholeNumber } from '../command.ts'
import { dataFileOption, dataOption } from '../document.ts'
import { usageFailure } from '../errors.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { say } from '../terminal/say.ts'

const ALL = '/api/admin/notifications/broadcast/{appCode}'
const ONE = '/api/admin/notifications/broadcast/{appCode}/{id}'
const COLUMNS = ['id', 'status', 'type', 'processed', 'total', 'failed', 'skipped', 'createdAt']
const BROADCAST_STATUSES = [
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const
const STATUSES = ['waiting', 'sent', 'failed', 'skipped'] as const
const STEPS = {
  pause: 'Pause a broadcast',
  resume: 'Resume a paused broadcast',
  cancel: 'Cancel a broadcast permanently',
} as const

type Recipient = Record<string, unknown>

interface ListOptions {
  status?: (typeof BROADCAST_STATUSES)[number]
  type?: string
  limit: number
  all?: boolean
}

export function broadcast(program: Command): void {
  const parent = group(program, 'broadcast', 'Send one message to many recipients')
  addSend(parent)
  addPreview(parent)
  addChange(parent)
  addRecipients(parent)
  addReasons(parent)

  command(parent, 'list <app>', 'List broadcasts, latest first', ['concierge broadcast list shop'])
    .addOption(
      new Option('--status <status>', 'only broadcasts with this status').choices(
        BROADCAST_STATUSES
      )
    )
    .option('--type <code>', 'only broadcasts of this notification type')
    .option('--limit <count>', 'maximum number of results', positiveInteger, 20)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, options: ListOptions) => {
        const { status, type, ...bounds } = options
        const filter = { ...(status && { status }), ...(type !== undefined && { type }) }
        const found = await collect(bounds, (page) =>
          session.api.GET(ALL, { params: { path: { appCode }, query: { ...page, ...filter } } })
        )
        session.print(found, COLUMNS)
      })
    )

  command(parent, 'status <app> <id>', 'Show the progress of a broadcast', [
    'concierge broadcast status shop 42',
  ]).action(
    withSession(async (session, appCode: string, id: string) => {
      const params = { path: { appCode, id: parseId(id) } }
      session.print(await unwrapData(session.api.GET(ONE, { params })))
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

function addSend(parent: Command) {
  const sending = command(parent, 'send <app>', 'Send a broadcast and follow it', [
    'concierge broadcast send shop --type generic --to application --data-file news.yaml',
    'concierge broadcast send shop --type sale --to role:editor --data what=Shoes --rate 50 --detach',
    'concierge broadcast send shop --type sale --to emails --emails-file recipients.txt --at 2030-01-01T08:00:00Z',
  ])
    .requiredOption('--type <code>', 'notification type')
    .requiredOption('--to <audience>', AUDIENCE)
  withContent(sending)
    .option('--rate <count>', 'maximum messages per second', positiveInteger)
    .option('--at <time>', 'start time (ISO 8601)')
    .option('--expect <count>', 'send only if the audience has this many users', wholeNumber)
    .option('--detach', 'do not follow the broadcast')
    .option('--dry-run', 'show the request without sending it')
    .action(withSession(send))
}

const AUDIENCE = 'audience: application, role:<code>, emails or all'

function withContent(sending: Command): Command {
  return sending
    .option('--email <email>', 'recipient, with --to emails; repeatable', appendValue)
    .option(
      '--emails-file <file>',
      'file with one address per line, with --to emails; - reads stdin'
    )
    .addOption(dataOption())
    .addOption(dataFileOption())
    .option('--template <key>', 'template; required if the type has several')
    .option('--locale <code>', 'language for all recipients instead of their own')
}

function addPreview(parent: Command) {
  const previewing = command(
    parent,
    'preview <app>',
    'Count whom a broadcast would reach, and show three messages',
    [
      'concierge broadcast preview shop --type sale --to application --data what=Shoes',
      '',
      'Sends nothing. The JSON has the messages.',
    ]
  )
    .requiredOption('--type <code>', 'notification type')
    .requiredOption('--to <audience>', AUDIENCE)
  withContent(previewing).action(withSession(preview))
}

async function preview(session: Session, appCode: string, options: SendOptions) {
  const body = broadcastRequest(options)
  const path = `${ALL}/preview` as const
  const found = await unwrapData(session.api.POST(path, { params: { path: { appCode } }, body }))
  if (session.options.output !== 'table') return session.print(found)
  const { total, examined, channels, skipped, later } = found
  const reasons = [...skipped, ...later].map(({ reason, count }) => [reason, count])
  session.print({ total, examined, ...channels, ...Object.fromEntries(reasons) })
  session.print(found.recipients, ['email', 'locale', 'subject', 'error'])
}

function addChange(parent: Command) {
  const changing = command(parent, 'change <app> <id>', 'Change a scheduled broadcast', [
    'concierge broadcast change shop 42 --at 2030-01-02T08:00:00Z',
    'concierge broadcast change shop 42 --data-file news.yaml',
  ])
    .option('--type <code>', 'notification type')
    .option('--to <audience>', AUDIENCE)
  withContent(changing)
    .option('--rate <count>', 'maximum messages per second', positiveInteger)
    .option('--at <time>', 'start time (ISO 8601)')
    .action(
      withSession(async (session, appCode: string, id: string, options: ChangeOptions) => {
        const params = { path: { appCode, id: parseId(id) } }
        const body = broadcastChanges(options)
        session.print(await unwrapData(session.api.PUT(ONE, { params, body })))
      })
    )
}

interface RecipientOptions {
  status?: (typeof STATUSES)[number]
  limit: number
  all?: boolean
}

function addRecipients(parent: Command) {
  command(parent, 'recipients <app> <id>', 'List what became of the recipients of a broadcast', [
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
          const { data, ...rest } = await session.api.GET(`${ONE}/recipients`, { params })
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
      const found = await unwrapData(session.api.GET(`${ONE}/reasons`, { params }))
      if (session.options.output !== 'table') return session.print(found)
      const rows = Object.entries(found).flatMap(([status, { reasons: counted }]) =>
        counted.map(({ reason, count }) => ({ status, reason, count }))
      )
      session.print(rows, ['status', 'reason', 'count'])
    })
  )
}

async function send(session: Session, appCode: string, options: SendOptions) {
  const { expect } = options
  const body = {
    ...broadcastRequest(options),
    ...(expect !== undefined && { expectedTotal: expect }),
  }
  const params = { path: { appCode } }
  if (options.dryRun) {
    const path = '/api/admin/notifications/types/{appCode}/{type}'
    await unwrapData(session.api.GET(path, { params: { path: { appCode, type: body.type } } }))
    return session.print(body)
  }
  await session.confirm(`Send ${body.type} of ${appCode} to ${options.to}?`)
  const created = await unwrapData(session.api.POST(ALL, { params, body }))
  if (options.detach || created.status === 'scheduled') return session.print(created)
  say(`Created broadcast ${created.id}`)
  await followAndPrint(session, appCode, created.id)
}

async function followAndPrint(session: Session, appCode: string, id: number) {
  const last = await followBroadcast(session, appCode, id)
  session.print(last)
  process.exitCode = exitCodeOf(last)
}

function addStep(parent: Command, step: keyof typeof STEPS, summary: string) {
  command(parent, `${step} <app> <id>`, summary, [`concierge broadcast ${step} shop 42`]).action(
    withSession(async (session, appCode: string, id: string) => {
      if (step === 'cancel')
        await session.confirm(`Cancel broadcast ${id} of ${appCode} permanently?`)
      const params = { path: { appCode, id: parseId(id) } }
      session.print(await unwrapData(session.api.POST(`${ONE}/${step}`, { params })))
    })
  )
}

function parseId(text: string): number {
  const id = Number(text)
  if (Number.isSafeInteger(id) && id > 0) return id
  throw usageFailure('The broadcast id must be a positive integer')
}
