import type { Command } from 'commander'
import { command, group, textOrNull } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { findRole, permissionsOf, pickPermission, rolesOf } from '../lookup.ts'
import { data, withSession } from '../session.ts'

const ROLE = '/api/applications/{appCode}/roles/{roleId}'
const PERMISSIONS = '/api/applications/{appCode}/roles/{roleId}/permissions'
const PERMISSION_COLUMNS = ['permissionCode', 'type', 'accessLevel']
const LEVELS = ['allowed', 'view', 'edit'] as const

interface Fields {
  description?: string
}

export function roles(program: Command): void {
  const parent = group(program, 'roles', 'Roles, and the permissions they give')

  command(parent, 'list <app>', 'List them', ['concierge roles list shop']).action(
    withSession(async (session, app: string) => {
      session.print(await rolesOf(session, app), ['id', 'code', 'description'])
    })
  )

  command(parent, 'show <app> <role>', 'Show one', ['concierge roles show shop clerk']).action(
    withSession(async (session, app: string, code: string) => {
      session.print(await findRole(session, app, code))
    })
  )

  command(parent, 'create <app> <role>', 'Create one', ['concierge roles create shop clerk'])
    .option('--description <text>', 'who it is for')
    .action(
      withSession(async (session, appCode: string, code: string, fields: Fields) => {
        const params = { path: { appCode } }
        const body = { code, ...pick(fields) }
        const path = '/api/applications/{appCode}/roles'
        session.print(await data(session.api.POST(path, { params, body })))
      })
    )

  command(parent, 'update <app> <role>', 'Change what you name', [
    'concierge roles update shop clerk --code seller',
  ])
    .option('--code <code>', 'another code')
    .option('--description <text>', 'who it is for')
    .action(
      withSession(
        async (session, appCode: string, code: string, body: Fields & { code?: string }) => {
          const { id: roleId } = await findRole(session, appCode, code)
          const params = { path: { appCode, roleId } }
          session.print(await data(session.api.PUT(ROLE, { params, body: pick(body) })))
        }
      )
    )

  command(parent, 'delete <app> <role>', 'Delete one; nobody has it any more', [
    'concierge roles delete shop clerk --yes',
  ]).action(
    withSession(async (session, appCode: string, code: string) => {
      const { id: roleId } = await findRole(session, appCode, code)
      await session.confirm(`Delete role ${code} of ${appCode} and take it from everybody?`)
      await session.done(session.api.DELETE(ROLE, { params: { path: { appCode, roleId } } }))
    })
  )

  command(parent, 'permissions <app> <role>', 'Show what a role gives', [
    'concierge roles permissions shop clerk',
  ]).action(
    withSession(async (session, appCode: string, code: string) => {
      const { id: roleId } = await findRole(session, appCode, code)
      const params = { path: { appCode, roleId } }
      session.print(await data(session.api.GET(PERMISSIONS, { params })), PERMISSION_COLUMNS)
    })
  )

  command(parent, 'set-permissions <app> <role> [grants...]', 'Say all that a role gives', [
    'concierge roles set-permissions shop clerk orders=edit reports=view export',
    'concierge roles set-permissions shop clerk --yes   # nothing any more',
  ]).action(
    withSession(async (session, appCode: string, code: string, grants: string[]) => {
      const { id: roleId } = await findRole(session, appCode, code)
      const wanted = await wantedGrants(await permissionsOf(session, appCode), appCode, grants)
      if (wanted.length === 0) await session.confirm(`Take everything from role ${code}?`)
      const params = { path: { appCode, roleId } }
      const body = { permissions: wanted }
      session.print(await data(session.api.PUT(PERMISSIONS, { params, body })), PERMISSION_COLUMNS)
    })
  )
}

interface Defined {
  id: number
  code: string
  type: 'binary' | 'tiered'
}

async function wantedGrants(defined: Defined[], app: string, grants: string[]) {
  return grants.map((text) => {
    const [code, level] = text.split(/=(.*)/s)
    const { id: permissionId, type } = pickPermission(defined, app, code!)
    if (level === undefined && type === 'tiered') {
      throw usageFailure(`${code} has levels: say ${code}=view or ${code}=edit`)
    }
    const accessLevel = LEVELS.find((each) => each === (level ?? 'allowed'))
    if (accessLevel) return { permissionId, accessLevel }
    throw usageFailure(`${level} is no level: say ${LEVELS.join(', ')}`)
  })
}

function pick({ code, description }: Fields & { code?: string }) {
  return {
    ...(code !== undefined && { code }),
    ...(description !== undefined && { description: textOrNull(description) }),
  }
}
