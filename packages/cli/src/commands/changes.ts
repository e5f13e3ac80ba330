import { setTimeout as pause } from 'node:timers/promises'
import type { components } from '@concierge/client'
import { type Command, InvalidArgumentError } from 'commander'
import { command, wholeNumber } from '../command.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { onInterrupt } from '../terminal/on_interrupt.ts'
import { say } from '../terminal/say.ts'

const DOMAINS = ['access', 'users', 'audit'] as const
const POLL_MS = 1_000
const PAGE_SIZE = 200

type ChangeEvent = components['schemas']['FeedEvent']
type Scope = components['schemas']['AccessEvent']['scopes'][number]

interface Page {
  events: ChangeEvent[]
  revision: number
}

interface Options {
  after?: number
  domains: (typeof DOMAINS)[number][]
  follow?: boolean
}

export function changes(program: Command): void {
  command(program, 'changes', 'Show changes to access, user records and the audit trail', [
    'concierge changes --follow',
    'concierge changes --after 4711 --domains access,users --output json',
    '',
    'Each change has a revision. Without --after, --follow starts with the next change; without',
    "both, the command shows the latest revision. Requires the platform's key.",
  ])
    .option('--after <revision>', 'only changes after this revision', wholeNumber)
    .option('--domains <names>', `any of ${DOMAINS.join(', ')}, separated by commas`, toDomains, [
      'access',
    ])
    .option('--follow', 'show new changes as they happen; JSON has one change per line')
    .action(withSession(showChanges))
}

async function showChanges(session: Session, { after, domains, follow = false }: Options) {
  let revision = after ?? (await read(session, domains)).revision
  if (follow) onInterrupt('To continue, pass the last revision to --after')
  else if (after === undefined) return session.print({ revision })
  for (;;) {
    const page = await read(session, domains, revision)
    for (const event of page.events) show(session, event)
    revision = page.revision
    if (page.events.length > 0) continue
    if (!follow) return say(`Latest revision: ${revision}`)
    await pause(POLL_MS)
  }
}

async function read(session: Session, domains: Options['domains'], after?: number) {
  const query = { domains, ...(after !== undefined && { after }), limit: PAGE_SIZE }
  const { data, ...rest } = await session.api.GET('/api/internal/changes', { params: { query } })
  // With a limit, the route does not stream.
  return unwrapData(Promise.resolve({ data: data as { data: Page } | undefined, ...rest }))
}

function show(session: Session, event: ChangeEvent) {
  const { output } = session.options
  if (output === 'json') session.text(JSON.stringify(event))
  else if (output === 'yaml') session.print([event])
  else session.text(session.line([event.revision, event.type, summaryOf(event)]))
}

function summaryOf(event: ChangeEvent): string {
  switch (event.type) {
    case 'access':
      return event.scopes.map(scopeText).join(', ')
    case 'users':
      return [event.action, event.email].filter(Boolean).join(' ')
    case 'audit':
      return `${event.entry.action} ${event.entry.target.label}`
    case 'reset':
      return 'earlier changes are no longer known'
  }
}

function scopeText({ email, application, resourceType }: Scope): string {
  const parts = [email ?? 'everyone', application && `in ${application}`]
  return [...parts, resourceType && `on ${resourceType}`].filter(Boolean).join(' ')
}

function toDomains(list: string): Options['domains'] {
  const names = list.split(',').map((name) => name.trim())
  const isDomain = (name: string) => (DOMAINS as readonly string[]).includes(name)
  if (names.every(isDomain)) return names as Options['domains']
  throw new InvalidArgumentError(`Use any of ${DOMAINS.join(', ')}, separated by commas.`)
}
