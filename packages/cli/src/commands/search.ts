import type { Attributes, ResourcePage, SubjectPage } from '@concierge/client'
import type { Command } from 'commander'
import { command, group, jsonObject, positiveInteger } from '../command.ts'
import { usageFailure } from '../errors.ts'
import type { Resource } from '../resource.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { printable } from '../terminal/printable.ts'
import { say } from '../terminal/say.ts'
import { levelOption, resourceOption } from './check.ts'

const PAGE_SIZE = 1_000

interface Options {
  for?: string
  level?: 'view' | 'edit' | 'allowed'
  resource?: Resource
  attributes?: Attributes
  type?: string
  limit: number
  all?: boolean
}

export function search(program: Command): void {
  const parent = group(program, 'search', 'Find who can do something, and what someone can do')

  withAttributes(
    withLimit(
      command(parent, 'who <app> <permission>', 'List the users who have a permission', [
        'concierge search who shop orders --level edit',
        'concierge search who shop orders --resource order:42 --all',
        'concierge search who shop orders --resource order:42 --attributes \'{"context":{"amount":5}}\'',
        '',
        'Requires the panel level view on the application. Rows with a condition apply only if it holds;',
        'give the missing attribute to find out.',
      ])
        .addOption(levelOption())
        .addOption(resourceOption())
    )
  ).action(withSession(findUsers))

  withAttributes(
    withLimit(
      command(parent, 'what <app> [permission]', 'List what a user can do', [
        'concierge search what shop   # your permissions',
        'concierge search what shop --for alan@acme.example --resource order:42',
        'concierge search what shop orders --type order   # resources on which you have one',
        'concierge search what shop orders --type order --for alan@acme.example --level edit',
        '',
        'With a permission and --type, lists resources, otherwise permissions. --for requires the private',
        'network.',
      ])
        .option('--for <email>', 'user; yourself by default')
        .option('--type <type>', 'type of the resources to list')
        .addOption(levelOption())
        .addOption(resourceOption())
    )
  ).action(withSession(findGrants))
}

const withLimit = (target: Command) =>
  target
    .option('--limit <count>', 'maximum number of rows', positiveInteger, 100)
    .option('--all', 'everything')

const withAttributes = (target: Command) =>
  target.option('--attributes <json>', 'attributes that conditions look at', jsonObject)

async function findUsers(session: Session, appCode: string, permission: string, options: Options) {
  const { level, resource, attributes } = options
  const path = '/api/applications/{appCode}/access/search/subjects'
  const body = {
    permission,
    ...(level && { level }),
    ...(resource && { resourceType: resource.type, resourceId: resource.id }),
    ...(attributes && { attributes }),
  }
  const params = { path: { appCode } }
  async function* pages(): AsyncGenerator<SubjectPage> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = { limit: pageSize(options), count: false, ...(cursor && { cursor }) }
      const read = session.api.POST(path, { params, body: { ...body, ...page } })
      const found = await unwrapData(read)
      yield found
      cursor = found.nextCursor
    }
  }
  const { rows } = await collect(pages(), options)
  session.print(rows, ['email', ...GRANT])
}

/** Lists resources if a type is given, otherwise permissions. */
async function findGrants(
  session: Session,
  app: string,
  permission: string | undefined,
  options: Options
) {
  const { for: email, level, resource, attributes, type } = options
  const question = { app, ...(email && { email }), ...(attributes && { attributes }) }
  const { search: find } = session.client()
  if (type === undefined && permission === undefined) {
    const found = await find.permissions({ ...question, ...(resource && { resource }) })
    return session.print([...found.results, ...found.conditional], ['code', ...GRANT])
  }
  if (type === undefined || permission === undefined) {
    throw usageFailure('A search for resources needs both a permission and --type')
  }
  const pages = find.resources({
    ...question,
    permission,
    resourceType: type,
    limit: pageSize(options),
    count: false,
    ...(level && { level }),
  })
  const { rows, last } = await collect(pages, options)
  if (last?.everywhere)
    say(`Also allowed on each ${printable(type)} that neither the catalog nor an override names`)
  session.print(rows, ['resourceId', 'label', ...GRANT])
}

const GRANT = ['accessLevel', 'source', 'missing', 'condition']

const pageSize = ({ limit, all }: Options) => (all ? PAGE_SIZE : Math.min(limit, PAGE_SIZE))

/** Reads pages up to the limit. Conditional rows follow the others of their page. */
async function collect<Page extends SubjectPage | ResourcePage>(
  pages: AsyncGenerator<Page>,
  { limit, all }: Options
) {
  const wanted = all ? Infinity : limit
  const rows: object[] = []
  let last: Page | undefined
  for await (last of pages) {
    rows.push(...last.results, ...last.conditional)
    if (rows.length < wanted) continue
    if (rows.length > wanted || last.nextCursor !== null)
      say(`These are the first ${wanted}; --all lists everything`)
    break
  }
  return { rows: rows.slice(0, wanted), last }
}
