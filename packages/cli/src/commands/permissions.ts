import { type Command, Option } from 'commander'
import { command, group, textOrNull, truth } from '../command.ts'
import { findPermission, permissionsOf } from '../lookup.ts'
import { type Session, data, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/permissions/{permissionId}'
const COLUMNS = ['id', 'code', 'type', 'groupName', 'global', 'description']

type PermissionType = 'binary' | 'tiered'

interface Fields {
  type?: PermissionType
  description?: string
  group?: string
  parent?: string
  global?: boolean
}

export function permissions(program: Command): void {
  const parent = group(program, 'permissions', 'What can be allowed in an application')

  command(parent, 'list <app>', 'List them', ['concierge permissions list shop']).action(
    withSession(async (session, app: string) => {
      session.print(await permissionsOf(session, app), COLUMNS)
    })
  )

  command(parent, 'show <app> <permission>', 'Show one', [
    'concierge permissions show shop orders',
  ]).action(
    withSession(async (session, app: string, code: string) => {
      session.print(await findPermission(session, app, code))
    })
  )

  withFields(
    command(parent, 'create <app> <permission>', 'Create one, binary unless you say otherwise', [
      'concierge permissions create shop orders --type tiered --group Orders',
    ])
  ).action(
    withSession(async (session, appCode: string, code: string, fields: Fields) => {
      const body = { code, type: 'binary' as const, ...(await bodyOf(session, appCode, fields)) }
      const params = { path: { appCode } }
      const path = '/api/applications/{appCode}/permissions'
      session.print(await data(session.api.POST(path, { params, body })))
    })
  )

  withFields(
    command(parent, 'update <app> <permission>', 'Change what you name', [
      "concierge permissions update shop orders --description 'See and change orders'",
    ])
  ).action(
    withSession(async (session, appCode: string, code: string, fields: Fields) => {
      const { id: permissionId } = await findPermission(session, appCode, code)
      const body = await bodyOf(session, appCode, fields)
      const params = { path: { appCode, permissionId } }
      session.print(await data(session.api.PUT(PATH, { params, body })))
    })
  )

  command(parent, 'delete <app> <permission>', 'Delete one, with every grant of it', [
    'concierge permissions delete shop orders --yes',
  ]).action(
    withSession(async (session, appCode: string, code: string) => {
      const { id: permissionId } = await findPermission(session, appCode, code)
      await session.confirm(`Delete permission ${code} of ${appCode} with every grant of it?`)
      await session.done(session.api.DELETE(PATH, { params: { path: { appCode, permissionId } } }))
    })
  )
}

function withFields(target: Command) {
  return target
    .addOption(new Option('--type <type>', 'kind').choices(['binary', 'tiered']))
    .option('--description <text>', 'what it allows')
    .option('--group <name>', 'group it is shown in')
    .option('--parent <permission>', 'permission it is shown under')
    .option('--global <boolean>', 'true: overrides for resources do not count', truth)
}

async function bodyOf(session: Session, app: string, fields: Fields) {
  const { type, description, group: name, parent, global } = fields
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description: textOrNull(description) }),
    ...(name !== undefined && { groupName: textOrNull(name) }),
    ...(global !== undefined && { global }),
    ...(parent !== undefined && { parentPermissionId: await parentId(session, app, parent) }),
  }
}

async function parentId(session: Session, app: string, code: string) {
  return code === '' ? null : (await findPermission(session, app, code)).id
}
