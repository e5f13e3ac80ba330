import type { Command } from 'commander'
import { exitCodeOf, followBroadcast } from '../broadcasts/follow_broadcast.ts'
import { type SendOptions, broadcastRequest } from '../broadcasts/broadcast_request.ts'
import { appendValue, command, group, positiveInteger } from '../command.ts'
import { dataFileOption, dataOption } from '../document.ts'
import { usageFailure } from '../errors.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { say } from '../terminal/say.ts'

const ALL = '/api/admin/notifications/broadcast/{appCode}'
const ONE = '/api/admin/notifications/broadcast/{appCode}/{id}'
const COLUMNS = ['id', 'status', 'type', 'processed', 'total', 'failed', 'skipped', 'createdAt']
const STEPS = {
  pause: 'Pause a broadcast',
  resume: 'Resume a paused broadcast',
  cancel: 'Cancel a broadcast permanently',
} as const

export function broadcast(program: Command): void {
  const parent = group(program, 'broadcast', 'Send one message to many recipients')
  addSend(parent)

  command(parent, 'list <app>', 'List broadcasts, latest first', ['concierge broadcast list shop'])
    .option('--limit <count>', 'maximum number of results', positiveInteger, 20)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, bounds: { limit: number; all?: boolean }) => {
        const found = await collect(bounds, (query) =>
          session.api.GET(ALL, { params: { path: { appCode }, query } })
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
  command(parent, 'send <app>', 'Send a broadcast and follow it', [
    'concierge broadcast send shop --type generic --to application --data-file news.yaml',
    'concierge broadcast send shop --type sale --to role:editor --data what=Shoes --rate 50 --detach',
    'concierge broadcast send shop --type sale --to emails --emails-file recipients.txt --at 2030-01-01T08:00:00Z',
  ])
    .requiredOption('--type <code>', 'notification type')
    .requiredOption('--to <audience>', 'audience: application, role:<code>, emails or all')
    .option('--email <email>', 'recipient, with --to emails; repeatable', appendValue)
    .option(
      '--emails-file <file>',
      'file with one address per line, with --to emails; - reads stdin'
    )
    .addOption(dataOption())
    .addOption(dataFileOption())
    .option('--template <key>', 'template; required if the type has several')
    .option('--locale <code>', 'language for all recipients instead of their own')
    .option('--rate <count>', 'maximum messages per second', positiveInteger)
    .option('--at <time>', 'start time (ISO 8601)')
    .option('--detach', 'do not follow the broadcast')
    .option('--dry-run', 'show the request without sending it')
    .action(withSession(send))
}

async function send(session: Session, appCode: string, options: SendOptions) {
  const body = broadcastRequest(options)
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
