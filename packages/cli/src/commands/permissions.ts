import { unwrap } from '@concierge/client'
import { type Command, Option } from 'commander'
import { command, group, textOrNull, booleanValue } from '../command.ts'
import { DRY_RUN, type DeletionOptions, printDeletion, withDryRun } from '../deletion.ts'
import { findPermission, permissionsOf } from '../lookup.ts'
import type { Resource } from '../resource.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { resourceOption } from './check.ts'

const PATH = '/api/applications/{appCode}/permissions/{permissionId}'
const COLUMNS = ['id', 'code', 'name', 'type', 'groupName', 'global', 'description']

type PermissionType = 'binary' | 'tiered'

interface Fields {
  name?: string
  type?: PermissionType
  description?: string
  group?: string
  parent?: string
  global?: boolean
}

interface Update extends Fields {
  code?: string
  rename?: boolean
  force?: boolean
}

interface Subject {
  for?: string
  resource?: Resource
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

  command(parent, 'effective <app>', 'List the effective permissions of a user', [
    'concierge permissions effective shop --for alan@acme.example',
    'concierge permissions effective shop --for alan@acme.example --resource order:42',
    'concierge permissions effective shop   # about yourself',
    '',
    '--for requires the panel level view on the application.',
  ])
    .option('--for <email>', 'user; yourself by default')
    .addOption(resourceOption())
    .action(withSession(listEffective))

  withFields(
    command(parent, 'create <app> <permission>', 'Create a permission', [
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
      'concierge permissions update shop orders --code sales --rename',
    ])
  )
    .option('--code <code>', 'new code')
    .option('--rename', 'change the code although the permission is in use')
    .option('--force', 'make it global although overrides name it')
    .action(
      withSession(async (session, appCode: string, code: string, fields: Update) => {
        const { rename = false, force = false, code: newCode } = fields
        const { id: permissionId } = await findPermission(session, appCode, code)
        const body = {
          ...(newCode !== undefined && { code: newCode }),
          ...(await bodyOf(session, appCode, fields)),
        }
        const query = {
          ...(rename && { rename: 'true' as const }),
          ...(force && { force: 'true' as const }),
        }
        const params = { path: { appCode, permissionId }, query }
        session.print(await unwrapData(session.api.PUT(PATH, { params, body })))
      })
    )

  withDryRun(
    command(parent, 'delete <app> <permission>', 'Delete a permission and all its grants', [
      'concierge permissions delete shop orders --dry-run',
      'concierge permissions delete shop orders --yes',
    ])
  ).action(
    withSession(async (session, appCode: string, code: string, { dryRun }: DeletionOptions) => {
      const { id: permissionId } = await findPermission(session, appCode, code)
      if (dryRun) {
        const params = { path: { appCode, permissionId }, query: DRY_RUN }
        return printDeletion(session, session.api.DELETE(PATH, { params }))
      }
      await session.confirm(`Delete permission ${code} of ${appCode} and all its grants?`)
      await session.finish(
        session.api.DELETE(PATH, { params: { path: { appCode, permissionId } } })
      )
    })
  )
}

async function listEffective(session: Session, app: string, { for: email, resource }: Subject) {
  const where = resource && { resourceType: resource.type, resourceId: resource.id }
  const params = { path: { appCode: app } }
  const path = '/api/applications/{appCode}/access/effective'
  const found =
    email === undefined
      ? await unwrap(
          session.api.POST('/api/profile/me/check/effective', { body: { app, ...where } })
        )
      : await unwrapData(session.api.POST(path, { params, body: { email, ...where } }))
  session.print(found, ['code', 'granted', 'accessLevel', 'source'])
}

function withFields(target: Command) {
  return target
    .addOption(
      new Option('--type <type>', 'type; a new permission is binary by default').choices([
        'binary',
        'tiered',
      ])
    )
    .option('--name <text>', 'display name; an empty string removes it')
    .option('--description <text>', 'description; an empty string removes it')
    .option('--group <name>', 'display group; an empty string removes it')
    .option('--parent <permission>', 'display parent; an empty string removes it')
    .option('--global <boolean>', 'whether to ignore overrides on resources', booleanValue)
}

async function bodyOf(session: Session, app: string, fields: Fields) {
  const { type, name, description, group: groupName, parent, global } = fields
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description: textOrNull(description) }),
    ...(name !== undefined && { name: textOrNull(name) }),
    ...(groupName !== undefined && { groupName: textOrNull(groupName) }),
    ...(global !== undefined && { global }),
    ...(parent !== undefined && { parentPermissionId: await parentId(session, app, parent) }),
  }
}

async function parentId(session: Session, app: string, code: string) {
  return code === '' ? null : (await findPermission(session, app, code)).id
}
