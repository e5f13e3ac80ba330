import { ifMatch, unwrapTagged } from '@concierge/client'
import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { pickRole, rolesOf } from '../lookup.ts'
import { repeatIfStale } from '../repeat_if_stale.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { overrides } from './overrides.ts'

const ROLES = '/api/users/{email}/apps/{appCode}/roles'
const COLUMNS = ['role', 'description']

export function grants(program: Command): void {
  const parent = group(program, 'grants', 'Manage the roles and overrides of a user')

  command(parent, 'roles <email> <app>', "List a user's roles", [
    'concierge grants roles alan@acme.example shop',
  ]).action(
    withSession(async (session, email: string, app: string) => {
      session.print((await readRoles(session, email, app)).data, COLUMNS)
    })
  )

  command(parent, 'add <email> <app> <roles...>', 'Assign roles to a user', [
    'concierge grants add alan@acme.example shop clerk',
  ]).action(
    withSession(async (session, email: string, app: string, wanted: string[]) => {
      await replaceRoles(session, email, app, wanted, (held, ids) => [...held, ...ids])
    })
  )

  command(parent, 'remove <email> <app> <roles...>', 'Remove roles from a user', [
    'concierge grants remove alan@acme.example shop clerk --yes',
  ]).action(
    withSession(async (session, email: string, app: string, unwanted: string[]) => {
      await session.confirm(`Remove ${unwanted.join(', ')} of ${app} from ${email}?`)
      await replaceRoles(session, email, app, unwanted, (held, ids) =>
        held.filter((id) => !ids.includes(id))
      )
    })
  )

  overrides(parent)
}

function readRoles({ api }: Session, email: string, appCode: string) {
  return unwrapTagged(api.GET(ROLES, { params: { path: { email, appCode } } }))
}

/** The service replaces all roles at once. */
async function replaceRoles(
  session: Session,
  email: string,
  appCode: string,
  named: string[],
  combine: (held: number[], ids: number[]) => number[]
) {
  const defined = await rolesOf(session, appCode)
  const ids = named.map((code) => pickRole(defined, appCode, code).id)
  await repeatIfStale(async () => {
    const { data: present, etag } = await readRoles(session, email, appCode)
    const held = present.map(({ roleId }) => roleId)
    const roleIds = [...new Set(combine(held, ids))]
    const params = { path: { email, appCode }, ...ifMatch(etag) }
    session.print(await unwrapData(session.api.PUT(ROLES, { params, body: { roleIds } })), COLUMNS)
  })
}
