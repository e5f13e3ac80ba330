import { ifMatch, unwrapTagged } from '@concierge/client'
import type { Command } from 'commander'
import { command, group, textOrNull } from '../command.ts'
import type { ConditionOption } from '../condition.ts'
import { DRY_RUN, type DeletionOptions, printDeletion, withDryRun } from '../deletion.ts'
import { findRole, pickRole, rolesOf } from '../lookup.ts'
import { type PreviewOption, printPreview, withPreview } from '../preview.ts'
import {
  parseGrants,
  previewPermissions,
  printPermissions,
  replacePermissions,
} from '../roles/role_grants.ts'
import { unwrapData, withSession } from '../session.ts'

const ROLE = '/api/applications/{appCode}/roles/{roleId}'

type Deletion = DeletionOptions & PreviewOption

interface GrantOptions extends ConditionOption, PreviewOption {}

interface Fields {
  name?: string
  description?: string
}

export function roles(program: Command): void {
  const parent = group(program, 'roles', 'Manage roles and their permissions')

  command(parent, 'list <app>', 'List roles', ['concierge roles list shop']).action(
    withSession(async (session, app: string) => {
      session.print(await rolesOf(session, app), [
        'id',
        'code',
        'name',
        'userCount',
        'permissionCount',
        'description',
      ])
    })
  )

  command(parent, 'show <app> <role>', 'Show a role', ['concierge roles show shop clerk']).action(
    withSession(async (session, app: string, code: string) => {
      session.print(await findRole(session, app, code))
    })
  )

  command(parent, 'create <app> <role>', 'Create a role', ['concierge roles create shop clerk'])
    .option('--name <text>', 'display name')
    .option('--description <text>', 'who it is for')
    .action(
      withSession(async (session, appCode: string, code: string, fields: Fields) => {
        const params = { path: { appCode } }
        const body = { code, ...pick(fields) }
        const path = '/api/applications/{appCode}/roles'
        session.print(await unwrapData(session.api.POST(path, { params, body })))
      })
    )

  command(parent, 'update <app> <role>', 'Update a role', [
    'concierge roles update shop clerk --code seller',
  ])
    .option('--code <code>', 'new code')
    .option('--name <text>', 'display name; an empty string removes it')
    .option('--description <text>', 'who it is for; an empty string removes it')
    .action(
      withSession(
        async (session, appCode: string, code: string, body: Fields & { code?: string }) => {
          const { id: roleId } = await findRole(session, appCode, code)
          const path = { appCode, roleId }
          const { data, etag } = await unwrapTagged(session.api.GET(ROLE, { params: { path } }))
          pickRole([data], appCode, code)
          const params = { path, ...ifMatch(etag) }
          session.print(await unwrapData(session.api.PUT(ROLE, { params, body: pick(body) })))
        }
      )
    )

  withPreview(
    withDryRun(
      command(parent, 'delete <app> <role>', 'Delete a role and remove it from everyone', [
        'concierge roles delete shop clerk --dry-run',
        'concierge roles delete shop clerk --preview',
        'concierge roles delete shop clerk --yes',
      ])
    )
  ).action(
    withSession(async (session, appCode: string, code: string, options: Deletion) => {
      const { dryRun, preview } = options
      const { id: roleId } = await findRole(session, appCode, code)
      if (preview) return printPreview(session, appCode, [{ op: 'deleteRole', roleId }])
      if (dryRun) {
        const params = { path: { appCode, roleId }, query: DRY_RUN }
        return printDeletion(session, session.api.DELETE(ROLE, { params }))
      }
      await session.confirm(`Delete role ${code} of ${appCode} and remove it from everyone?`)
      await session.finish(session.api.DELETE(ROLE, { params: { path: { appCode, roleId } } }))
    })
  )

  command(parent, 'permissions <app> <role>', 'List the permissions of a role', [
    'concierge roles permissions shop clerk',
  ]).action(
    withSession(async (session, appCode: string, code: string) => {
      const { id: roleId } = await findRole(session, appCode, code)
      await printPermissions(session, { appCode, roleId })
    })
  )

  command(parent, 'matrix <app>', 'Show which permissions each role has; * marks conditions', [
    'concierge roles matrix shop',
  ]).action(
    withSession(async (session, appCode: string) => {
      const params = { path: { appCode } }
      const path = '/api/applications/{appCode}/role-permissions'
      const matrix = await unwrapData(session.api.GET(path, { params }))
      if (session.options.output !== 'table') return session.print(matrix)
      const { roles: columns, permissions, grants } = matrix
      const levels = new Map(
        grants.map(({ roleId, permissionId, accessLevel, condition }) => [
          `${roleId}:${permissionId}`,
          condition === null ? accessLevel : `${accessLevel}*`,
        ])
      )
      const rows = permissions.map(({ id, code }) => ({
        permission: code,
        ...Object.fromEntries(columns.map((role) => [role.code, levels.get(`${role.id}:${id}`)])),
      }))
      session.print(rows, ['permission', ...columns.map(({ code }) => code)])
    })
  )

  withPreview(
    command(
      parent,
      'set-permissions <app> <role> [grants...]',
      'Replace the permissions of a role',
      [
        'concierge roles set-permissions shop clerk orders=edit reports=view export',
        'concierge roles set-permissions shop clerk orders=edit --preview',
        `concierge roles set-permissions shop clerk orders=edit --when 'resource.properties.owner == subject.email'`,
        'concierge roles set-permissions shop clerk --yes   # removes all',
      ]
    )
  )
    .alias('set')
    .option(
      '--when <cel>',
      "condition of all of them; '' removes it, and without it each keeps its own"
    )
    .action(
      withSession(
        async (session, app: string, code: string, grants: string[], options: GrantOptions) => {
          const { when, preview } = options
          const { id: roleId } = await findRole(session, app, code)
          const wanted = await parseGrants(session, app, grants)
          const path = { appCode: app, roleId }
          if (preview) return previewPermissions(session, path, wanted, when)
          if (wanted.length === 0) {
            await session.confirm(`Remove all permissions from role ${code}?`)
          }
          await replacePermissions(session, path, wanted, when)
        }
      )
    )
}

function pick({ code, name, description }: Fields & { code?: string }) {
  return {
    ...(code !== undefined && { code }),
    ...(name !== undefined && { name: textOrNull(name) }),
    ...(description !== undefined && { description: textOrNull(description) }),
  }
}
