import type { Command } from 'commander'
import { exitCodeOf, follow } from '../broadcasts/follow.ts'
import { type SendOptions, wantedBroadcast } from '../broadcasts/wanted.ts'
import { command, group, positive, several } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { collect } from '../paging.ts'
import { type Session, data, withSession } from '../session.ts'
import { say } from '../terminal/say.ts'

const ALL = '/api/admin/notifications/broadcast/{appCode}'
const ONE = '/api/admin/notifications/broadcast/{appCode}/{id}'
const COLUMNS = ['id', 'status', 'type', 'processed', 'total', 'failed', 'skipped', 'createdAt']
const STEPS = {
  pause: 'Stop sending, for now',
  resume: 'Go on sending',
  cancel: 'End it for good; nobody else gets it',
} as const

export function broadcast(program: Command): void {
  const parent = group(program, 'broadcast', 'One message to many people')
  addSend(parent)

  command(parent, 'list <app>', 'List them, the latest first', ['concierge broadcast list shop'])
    .option('--limit <count>', 'how many at most', positive, 20)
    .option('--all', 'all of them')
    .action(
      withSession(async (session, appCode: string, bounds: { limit: number; all?: boolean }) => {
        const found = await collect(bounds, (query) =>
          session.api.GET(ALL, { params: { path: { appCode }, query } })
        )
        session.print(found, COLUMNS)
      })
    )

  command(parent, 'status <app> <id>', 'Show how far one has got', [
    'concierge broadcast status shop 42',
  ]).action(
    withSession(async (session, appCode: string, id: string) => {
      const params = { path: { appCode, id: idOf(id) } }
      session.print(await data(session.api.GET(ONE, { params })))
    })
  )

  command(parent, 'follow <app> <id>', 'Watch one until it ends', [
    'concierge broadcast follow shop 42',
    '',
    'Ctrl-C leaves it running. Exits with 2 when it was paused or ended without reaching everybody.',
  ]).action(
    withSession(async (session, appCode: string, id: string) => {
      await followToTheEnd(session, appCode, idOf(id))
    })
  )

  for (const [step, summary] of Object.entries(STEPS)) {
    addStep(parent, step as keyof typeof STEPS, summary)
  }
}

function addSend(parent: Command) {
  command(parent, 'send <app>', 'Send one, and watch it', [
    'concierge broadcast send shop --type generic --to application --data-file news.yaml',
    'concierge broadcast send shop --type sale --to role:editor --data what=Shoes --rate 50 --detach',
    'concierge broadcast send shop --type sale --to emails --emails-file people.txt --at 2030-01-01T08:00:00Z',
  ])
    .requiredOption('--type <code>', 'notification type')
    .requiredOption('--to <audience>', 'application, role:<code>, emails or all')
    .option('--email <email>', 'an address, with --to emails', several)
    .option('--emails-file <file>', 'file with an address a line, with --to emails; - is stdin')
    .option('--data <name=value>', 'a value for the template, or a JSON object of them', several)
    .option('--data-file <file>', 'values for the template, JSON or YAML; - is stdin')
    .option('--template <key>', 'template, where the type has several')
    .option('--locale <code>', 'language for everybody instead of their own')
    .option('--rate <count>', 'most messages a second', positive)
    .option('--at <time>', 'when to begin (ISO 8601)')
    .option('--detach', 'do not watch it')
    .option('--dry-run', 'show what would be asked for, and send nothing')
    .action(withSession(send))
}

async function send(session: Session, appCode: string, options: SendOptions) {
  const body = wantedBroadcast(options)
  const params = { path: { appCode } }
  if (options.dryRun) {
    const path = '/api/admin/notifications/types/{appCode}/{type}'
    await data(session.api.GET(path, { params: { path: { appCode, type: body.type } } }))
    return session.print(body)
  }
  await session.confirm(`Send ${body.type} of ${appCode} to ${options.to}?`)
  const created = await data(session.api.POST(ALL, { params, body }))
  if (options.detach || created.status === 'scheduled') return session.print(created)
  say(`Created broadcast ${created.id}`)
  await followToTheEnd(session, appCode, created.id)
}

async function followToTheEnd(session: Session, appCode: string, id: number) {
  const last = await follow(session, appCode, id)
  session.print(last)
  process.exitCode = exitCodeOf(last)
}

function addStep(parent: Command, step: keyof typeof STEPS, summary: string) {
  command(parent, `${step} <app> <id>`, summary, [`concierge broadcast ${step} shop 42`]).action(
    withSession(async (session, appCode: string, id: string) => {
      if (step === 'cancel') await session.confirm(`Cancel broadcast ${id} of ${appCode} for good?`)
      const params = { path: { appCode, id: idOf(id) } }
      session.print(await data(session.api.POST(`${ONE}/${step}`, { params })))
    })
  )
}

function idOf(text: string): number {
  const id = Number(text)
  if (Number.isSafeInteger(id) && id > 0) return id
  throw usageFailure('The id of a broadcast is a whole number from 1 on')
}
