import { type Command, Option } from 'commander'
import { command, group, textOrNull, booleanValue } from '../command.ts'
import { findPermission, permissionsOf } from '../lookup.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

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
  const parent = group(program, 'permissions', 'Manage the permissions of an application')

  command(parent, 'list <app>', 'List permissions', ['concierge permissions list shop']).action(
    withSession(async (session, app: string) => {
      session.print(await permissionsOf(session, app), COLUMNS)
    })
  )

  command(parent, 'show <app> <permission>', 'Show a permission', [
    'concierge permissions show shop orders',
  ]).action(
    withSession(async (session, app: string, code: string) => {
      session.print(await findPermission(session, app, code))
    })
  )

  withFields(
    command(parent, 'create <app> <permission>', 'Create a permission; binary by default', [
      'concierge permissions create shop orders --type tiered --group Orders',
    ])
  ).action(
    withSession(async (session, appCode: string, code: string, fields: Fields) => {
      const body = { code, type: 'binary' as const, ...(await bodyOf(session, appCode, fields)) }
      const params = { path: { appCode } }
      const path = '/api/applications/{appCode}/permissions'
      session.print(await unwrapData(session.api.POST(path, { params, body })))
    })
  )

  withFields(
    command(parent, 'update <app> <permission>', 'Update a permission', [
      "concierge permissions update shop orders --description 'See and change orders'",
    ])
  ).action(
    withSession(async (session, appCode: string, code: string, fields: Fields) => {
      const { id: permissionId } = await findPermission(session, appCode, code)
      const body = await bodyOf(session, appCode, fields)
      const params = { path: { appCode, permissionId } }
      session.print(await unwrapData(session.api.PUT(PATH, { params, body })))
    })
  )

  command(parent, 'delete <app> <permission>', 'Delete a permission and all its grants', [
    'concierge permissions delete shop orders --yes',
  ]).action(
    withSession(async (session, appCode: string, code: string) => {
      const { id: permissionId } = await findPermission(session, appCode, code)
      await session.confirm(`Delete permission ${code} of ${appCode} and all its grants?`)
      await session.finish(
        session.api.DELETE(PATH, { params: { path: { appCode, permissionId } } })
      )
    })
  )
}

function withFields(target: Command) {
  return target
    .addOption(new Option('--type <type>', 'type').choices(['binary', 'tiered']))
    .option('--description <text>', 'description; an empty string removes it')
    .option('--group <name>', 'display group; an empty string removes it')
    .option('--parent <permission>', 'display parent; an empty string removes it')
    .option('--global <boolean>', 'whether to ignore overrides on resources', booleanValue)
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
