import { ifMatch, unwrapTagged } from '@concierge/client'
import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { pickRole, rolesOf } from '../lookup.ts'
import { repeatIfStale } from '../repeat_if_stale.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { type WindowOptions, inWindow, windowOf } from '../time_window.ts'
import { overrides } from './overrides.ts'

const ROLES = '/api/users/{email}/apps/{appCode}/roles'
const COLUMNS = ['role', 'description', 'state', 'validFrom', 'validUntil']

export function grants(program: Command): void {
  const parent = group(program, 'grants', 'Manage the roles and overrides of a user')

  command(parent, 'roles <email> <app>', "List a user's roles", [
    'concierge grants roles alan@acme.example shop',
  ]).action(
    withSession(async (session, email: string, app: string) => {
      session.print((await readRoles(session, email, app)).data, COLUMNS)
    })
  )

  inWindow(
    command(parent, 'add <email> <app> <roles...>', 'Assign roles to a user', [
      'concierge grants add alan@acme.example shop clerk',
      'concierge grants add alan@acme.example shop clerk --until 2027-01-01',
    ])
  ).action(
    withSession(async (session, email: string, app: string, wanted: string[], limits) => {
      const window = windowOf(limits as WindowOptions)
      await replaceRoles(session, [email, app], wanted, (held, ids) => [
        ...held.filter(({ roleId }) => !ids.includes(roleId)),
        ...ids.map((roleId) => ({ roleId, ...window })),
      ])
    })
  )

  command(parent, 'remove <email> <app> <roles...>', 'Remove roles from a user', [
    'concierge grants remove alan@acme.example shop clerk --yes',
  ]).action(
    withSession(async (session, email: string, app: string, unwanted: string[]) => {
      await session.confirm(`Remove ${unwanted.join(', ')} of ${app} from ${email}?`)
      await replaceRoles(session, [email, app], unwanted, (held, ids) =>
        held.filter(({ roleId }) => !ids.includes(roleId))
      )
    })
  )

  overrides(parent)
}

interface Assignment {
  roleId: number
  validFrom?: string | null
  validUntil?: string | null
}

function readRoles({ api }: Session, email: string, appCode: string) {
  return unwrapTagged(api.GET(ROLES, { params: { path: { email, appCode } } }))
}

/** The service replaces all roles at once. */
async function replaceRoles(
  session: Session,
  [email, appCode]: [email: string, appCode: string],
  named: string[],
  combine: (held: Assignment[], ids: number[]) => Assignment[]
) {
  const defined = await rolesOf(session, appCode)
  const ids = named.map((code) => pickRole(defined, appCode, code).id)
  await repeatIfStale(async () => {
    const { data: present, etag } = await readRoles(session, email, appCode)
    const held = present.map(({ roleId, validFrom, validUntil }) => {
      return { roleId, validFrom, validUntil }
    })
    const roles = combine(held, [...new Set(ids)])
    const params = { path: { email, appCode }, ...ifMatch(etag) }
    session.print(await unwrapData(session.api.PUT(ROLES, { params, body: { roles } })), COLUMNS)
  })
}
