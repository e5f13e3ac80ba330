import type { Command } from 'commander'
import { BROADCAST, BROADCASTS, parseId } from '../broadcasts/broadcast_path.ts'
import {
  type ChangeOptions,
  type SendOptions,
  broadcastChanges,
  broadcastRequest,
} from '../broadcasts/broadcast_request.ts'
import { followAndPrint } from '../broadcasts/follow_broadcast.ts'
import { appendValue, command, positiveInteger, wholeNumber } from '../command.ts'
import { dataFileOption, dataOption } from '../document.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { say } from '../terminal/say.ts'

const AUDIENCE = 'audience: application, role:<code>, emails or all'

/** The commands that say what is sent to whom. */
export function broadcastContent(parent: Command): void {
  addSend(parent)
  addPreview(parent)
  addChange(parent)
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
    .option('--idempotency-key <key>', 'key that prevents the same broadcast from being sent twice')
    .option('--detach', 'do not follow the broadcast')
    .option('--dry-run', 'show the request without sending it')
    .action(withSession(send))
}

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
  const path = `${BROADCASTS}/preview` as const
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
        session.print(await unwrapData(session.api.PUT(BROADCAST, { params, body })))
      })
    )
}

async function send(session: Session, appCode: string, options: SendOptions) {
  const { expect, idempotencyKey } = options
  const body = {
    ...broadcastRequest(options),
    ...(expect !== undefined && { expectedTotal: expect }),
  }
  const header = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const params = { path: { appCode }, header }
  if (options.dryRun) {
    const path = '/api/admin/notifications/types/{appCode}/{type}'
    await unwrapData(session.api.GET(path, { params: { path: { appCode, type: body.type } } }))
    return session.print(body)
  }
  await session.confirm(`Send ${body.type} of ${appCode} to ${options.to}?`)
  const created = await unwrapData(session.api.POST(BROADCASTS, { params, body }))
  if (options.detach || created.status === 'scheduled') return session.print(created)
  say(`Created broadcast ${created.id}`)
  await followAndPrint(session, appCode, created.id)
}
