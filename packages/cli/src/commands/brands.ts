import type { components, operations } from '@concierge/client'
import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { readDocument } from '../document.ts'
import { notFound } from '../errors.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Json } }
}
  ? Json
  : never
type Brand = components['schemas']['Brand']

const PATH = '/api/admin/brands'
const ONE = '/api/admin/brands/{id}'
const COLUMNS = ['slug', 'name', 'isDefault', 'emailFrom', 'idpOrgId']

interface Options {
  name?: string
  file?: string
}

export function brands(program: Command): void {
  const parent = group(program, 'brands', 'Manage brands (senders and appearance of messages)')

  command(parent, 'list', 'List brands', ['concierge brands list']).action(
    withSession(async (session) => session.print(await all(session), COLUMNS))
  )

  command(parent, 'show <slug>', 'Show a brand', [
    'concierge brands show acme --output yaml',
  ]).action(withSession(async (session, slug: string) => session.print(await find(session, slug))))

  withFields(
    command(parent, 'create <slug>', 'Create a brand', [
      'concierge brands create acme --name Acme --file acme.yaml',
    ])
  ).action(
    withSession(async (session, slug: string, options: Options) => {
      const body = { slug, name: slug, ...fields(options) } as Body<'platform.brands.store'>
      session.print(await unwrapData(session.api.POST(PATH, { body })))
    })
  )

  withFields(
    command(parent, 'update <slug>', 'Update a brand', [
      'concierge brands update acme --name "Acme Ltd"',
      'printf "smtp: {host: mail.acme.example, user: x, password: %s}" "$PW" | concierge brands update acme --file -',
    ])
  ).action(
    withSession(async (session, slug: string, options: Options) => {
      const { id } = await find(session, slug)
      const body = fields(options) as Body<'platform.brands.update'>
      session.print(await unwrapData(session.api.PUT(ONE, { params: { path: { id } }, body })))
    })
  )

  command(parent, 'test <slug>', 'Send a test mail of a brand to yourself', [
    'concierge brands test acme',
  ]).action(
    withSession(async (session, slug: string) => {
      const { id } = await find(session, slug)
      const params = { path: { id } }
      session.print(await unwrapData(session.api.POST(`${ONE}/test`, { params })))
    })
  )

  command(parent, 'delete <slug>', 'Delete a brand', ['concierge brands delete acme --yes']).action(
    withSession(async (session, slug: string) => {
      const { id } = await find(session, slug)
      await session.confirm(`Delete brand ${slug}?`)
      await session.finish(session.api.DELETE(ONE, { params: { path: { id } } }))
    })
  )
}

function withFields(target: Command) {
  return target
    .option('--name <text>', 'display name')
    .option(
      '--file <file>',
      'JSON or YAML file with other fields: smtp, dkim, appearance…; - reads stdin'
    )
}

function fields({ name, file }: Options) {
  const given = file === undefined ? {} : readDocument(file)
  return { ...given, ...(name !== undefined && { name }) }
}

const all = ({ api }: Session) => unwrapData(api.GET(PATH))

async function find(session: Session, slug: string): Promise<Brand> {
  const found = (await all(session)).find((each) => each.slug === slug)
  if (found) return found
  throw notFound('BRAND_NOT_FOUND', `No brand has the slug ${slug}`)
}
