import { type Command, Option } from 'commander'
import { command, group, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'

const PATH = '/api/admin/notifications/suppressions'
const REASONS = ['hard_bounce', 'complaint', 'manual', 'soft_bounces'] as const
const BOUNCES = '/api/admin/notifications/bounces'
const KINDS = ['hard', 'soft', 'complaint'] as const
const LATEST = 50

type Reason = (typeof REASONS)[number]

interface ListOptions {
  email?: string
  cause?: Reason
  limit: number
  all?: boolean
}

interface BounceOptions {
  email?: string
  kind?: (typeof KINDS)[number]
  limit: number
  all?: boolean
}

interface Fields {
  cause?: Reason
  note?: string
}

const causeOption = (description: string) =>
  new Option('--cause <reason>', description).choices(REASONS)

export function suppressions(program: Command): void {
  const parent = group(program, 'suppressions', 'Manage the addresses that get no mail')

  command(parent, 'list', 'List suppressed addresses, latest first', [
    'concierge suppressions list --cause complaint',
    'concierge suppressions list --email alan@acme.example',
  ])
    .option('--email <email>', 'only this address')
    .addOption(causeOption('only this reason for the suppression'))
    .option('--limit <count>', 'maximum number of results', positiveInteger, LATEST)
    .option('--all', 'list all')
    .action(
      withSession(async (session, { limit, all, email, cause }: ListOptions) => {
        const found = await collect({ limit, all }, (page) =>
          session.api.GET(PATH, { params: { query: { email, reason: cause, ...page } } })
        )
        session.print(found, ['email', 'reason', 'note', 'notificationId', 'createdAt'])
      })
    )

  command(parent, 'bounces', 'List mails that came back or were reported as spam, latest first', [
    'concierge suppressions bounces --kind soft',
    'concierge suppressions bounces --email alan@acme.example',
  ])
    .option('--email <email>', 'only this address')
    .addOption(new Option('--kind <kind>', 'only this kind of bounce').choices(KINDS))
    .option('--limit <count>', 'maximum number of results', positiveInteger, LATEST)
    .option('--all', 'list all')
    .action(
      withSession(async (session, { limit, all, email, kind }: BounceOptions) => {
        const found = await collect({ limit, all }, (page) =>
          session.api.GET(BOUNCES, { params: { query: { email, kind, ...page } } })
        )
        session.print(found, ['email', 'kind', 'appCode', 'notificationId', 'createdAt'])
      })
    )

  command(parent, 'add <email>', 'Suppress an address', [
    "concierge suppressions add alan@acme.example --note 'Asked by phone'",
  ])
    .addOption(causeOption('why, if not manual'))
    .option('--note <text>', 'what other administrators should know')
    .action(
      withSession(async (session, email: string, { cause, note }: Fields) => {
        const body = { email, reason: cause, note }
        session.print(await unwrapData(session.api.POST(PATH, { body })))
      })
    )

  command(parent, 'remove <email>', 'Make an address usable again', [
    'concierge suppressions remove alan@acme.example --yes',
  ]).action(
    withSession(async (session, email: string) => {
      await session.confirm(`Send mail to ${email} again?`)
      const params = { path: { email } }
      await session.finish(session.api.DELETE(`${PATH}/{email}`, { params }))
    })
  )
}
