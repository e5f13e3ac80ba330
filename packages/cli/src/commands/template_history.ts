import type { Command } from 'commander'
import { command, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { describeWarning } from '../templates/describe_warning.ts'
import { findTemplate } from '../templates/find_template.ts'
import { printable } from '../terminal/printable.ts'
import { say, warn } from '../terminal/say.ts'

const LATEST = 50

interface HistoryOptions {
  revision?: number
  limit: number
  all?: boolean
}

type Place = [app: string, type: string, template: string, locale: string]

export function templateHistory(parent: Command): void {
  command(
    parent,
    'history <app> <type> <template> <locale>',
    'List the earlier revisions of a language version, latest first',
    [
      'concierge templates history shop shipped main cs',
      'concierge templates history shop shipped main cs --revision 7 --output json',
    ]
  )
    .option('--revision <number>', 'show the texts of this revision', positiveInteger)
    .option('--limit <count>', 'maximum number of results', positiveInteger, LATEST)
    .option('--all', 'list all')
    .action(withSession(history))

  command(
    parent,
    'restore <app> <type> <template> <locale>',
    'Save the texts of a former revision as a new one',
    [
      'concierge templates restore shop shipped main cs 7',
      '',
      'The version can have been deleted since. The history keeps the last 100 revisions.',
    ]
  )
    .argument('<revision>', 'number of the revision', positiveInteger)
    .action(withSession(restore))
}

async function history(session: Session, ...given: [...Place, HistoryOptions]) {
  const [app, type, key, locale, { revision, ...bounds }] = given
  const { id } = await findTemplate(session, { app, type, key })
  if (revision !== undefined) {
    const path = '/api/admin/notifications/templates/{id}/locales/{locale}/history/{revision}'
    const params = { path: { id, locale, revision } }
    return session.print(await unwrapData(session.api.GET(path, { params })))
  }
  const path = '/api/admin/notifications/templates/{id}/locales/{locale}/history'
  const found = await collect(bounds, (query) =>
    session.api.GET(path, { params: { path: { id, locale }, query } })
  )
  if (session.options.output !== 'table') return session.print(found)
  const rows = found.map(({ savedBy, ...rest }) => {
    return { ...rest, savedBy: savedBy?.email ?? savedBy?.name ?? savedBy?.kind ?? null }
  })
  session.print(rows, ['revision', 'savedAt', 'savedBy', 'restoredFrom', 'subjectTemplate'])
}

async function restore(session: Session, ...given: [...Place, number]) {
  const [app, type, key, locale, revision] = given
  const { id } = await findTemplate(session, { app, type, key })
  await session.confirm(`Replace ${type}/${key} ${locale} in ${app} with revision ${revision}?`)
  const restored = await unwrapData(
    session.api.POST('/api/admin/notifications/templates/{id}/locales/{locale}/restore', {
      params: { path: { id, locale } },
      body: { revision },
    })
  )
  for (const warning of restored.warnings) warn(printable(describeWarning(warning)))
  say(`Saved as revision ${restored.revision}`)
}
