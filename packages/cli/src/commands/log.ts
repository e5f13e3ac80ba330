import { Argument, type Command, Option } from 'commander'
import { command, group, positiveInteger } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { type LogEntry, followLog } from '../follow_log.ts'
import { type Bounds, collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { printDeliveryExplanation } from '../delivery_explanation_text.ts'
import { toTimestamp } from '../timestamp.ts'

const ONE = '/api/admin/notifications/log/{appCode}/{id}'
const COLUMNS = ['id', 'createdAt', 'recipientEmail', 'type', 'status', 'statusReason', 'subject']
const STATUSES = ['sent', 'failed', 'skipped', 'scheduled'] as const
const LATEST = 50

interface Filters {
  status?: (typeof STATUSES)[number]
  type?: string
  recipient?: string
  broadcast?: number
  from?: string
  to?: string
}

interface Options extends Filters {
  limit: number
  all?: boolean
  follow?: boolean
}

export function log(program: Command): void {
  const parent = group(
    program,
    'log',
    'Show and explain notifications, resend failed ones, and cancel scheduled ones'
  )

  command(
    parent,
    'list [app]',
    'List notifications, latest first',
    [
      'concierge log list shop --status failed --from 2030-01-01T00:00:00Z',
      'concierge log list shop --recipient alan@acme.example --all --output json',
      'concierge log list shop --follow',
      'concierge log list --status failed',
      '',
      'Without an application, lists those of all applications, which requires a global panel admin.',
    ],
    { isDefault: true }
  )
    .addOption(new Option('--status <status>', 'filter by status').choices(STATUSES))
    .option('--type <code>', 'filter by notification type')
    .option('--recipient <email>', 'filter by recipient')
    .option('--broadcast <id>', 'filter by broadcast', positiveInteger)
    .option('--from <time>', 'earliest time, such as 2027-01-01', toTimestamp)
    .option('--to <time>', 'latest time, such as 2027-02-01T12:00Z', toTimestamp)
    .option('--limit <count>', 'maximum number of results', positiveInteger, LATEST)
    .option('--all', 'list all')
    .option('--follow', 'show new entries as they are sent; JSON has one entry per line')
    .action(
      withSession(async (session, appCode: string | undefined, options: Options) => {
        const { limit, all = false, follow = false, ...filters } = options
        const read = (bounds: Bounds<LogEntry>) =>
          readEntries(session, appCode, queryOf(filters), bounds)
        if (!follow) return session.print(await read({ limit, all }), COLUMNS)
        const again = ['concierge log list', appCode, '--follow'].filter(Boolean).join(' ')
        await followLog(read, { again, show: (entry) => printEntry(session, entry) })
      })
    )

  command(parent, 'show <app>', 'Show a notification with its delivery attempts', [
    'concierge log show shop 4711 --output yaml',
  ])
    .addArgument(notificationId())
    .action(
      withSession(async (session, appCode: string, id: number) => {
        session.print(await unwrapData(session.api.GET(ONE, { params: { path: { appCode, id } } })))
      })
    )

  command(parent, 'body <app>', 'Show the texts of a notification as they were rendered', [
    'concierge log body shop 4711 --output json',
    '',
    'They are left out if they may quote sensitive values.',
  ])
    .addArgument(notificationId())
    .action(
      withSession(async (session, appCode: string, id: number) => {
        const params = { path: { appCode, id } }
        session.print(await unwrapData(session.api.GET(`${ONE}/body`, { params })))
      })
    )

  command(parent, 'explain <app>', 'Explain why a notification was sent, or not', [
    'concierge log explain shop 4711',
    '',
    'Shows what was decided when it was sent, and why. `concierge notify --explain` explains a send',
    'that was not made.',
  ])
    .addArgument(notificationId())
    .action(
      withSession(async (session, appCode: string, id: number) => {
        const params = { path: { appCode, id } }
        const explanation = await unwrapData(session.api.GET(`${ONE}/explain`, { params }))
        printDeliveryExplanation(session, explanation)
      })
    )

  command(parent, 'cancel', 'Cancel a notification that is still scheduled', [
    'concierge log cancel 4711',
    '',
    'Requires a key of the application or platform.',
  ])
    .addArgument(notificationId())
    .action(
      withSession(async (session, id: number) => {
        session.print(await session.client().cancelNotification(id))
      })
    )

  command(parent, 'resend <app>', 'Resend a failed notification', [
    'concierge log resend shop 4711',
    '',
    'Exits with 2 if sending failed again.',
  ])
    .addArgument(notificationId())
    .action(
      withSession(async (session, appCode: string, id: number) => {
        const params = { path: { appCode, id } }
        const result = await unwrapData(session.api.POST(`${ONE}/resend`, { params }))
        session.print(result)
        process.exitCode = result.status === 'sent' ? EXIT.success : EXIT.negative
      })
    )
}

const notificationId = () =>
  new Argument('<id>', 'id of the notification').argParser(positiveInteger)

function queryOf({ status, type, recipient, broadcast, from, to }: Filters) {
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...(recipient && { recipientEmail: recipient }),
    ...(broadcast !== undefined && { broadcastId: broadcast }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

function readEntries(
  { api }: Session,
  appCode: string | undefined,
  filters: ReturnType<typeof queryOf>,
  bounds: Bounds<LogEntry>
) {
  return collect(bounds, (page) => {
    const query = { ...filters, ...page }
    if (appCode === undefined) return api.GET('/api/admin/notifications/log', { params: { query } })
    const params = { path: { appCode }, query }
    return api.GET('/api/admin/notifications/log/{appCode}', { params })
  })
}

function printEntry(session: Session, entry: LogEntry) {
  if (session.options.output === 'json') session.text(JSON.stringify(entry))
  else if (session.options.output === 'yaml') session.print([entry])
  else session.text(session.line(COLUMNS.map((name) => entry[name])))
}
