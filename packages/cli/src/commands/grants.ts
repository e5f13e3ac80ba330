import { ifMatch, unwrapTagged } from '@concierge/client'
import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { pickRole, rolesOf } from '../lookup.ts'
import { type PreviewOption, printPreview, withPreview } from '../preview.ts'
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

  withPreview(
    inWindow(
      command(parent, 'add <email> <app> <roles...>', 'Assign roles to a user', [
        'concierge grants add alan@acme.example shop clerk',
        'concierge grants add alan@acme.example shop clerk --until 2027-01-01',
        'concierge grants add alan@acme.example shop clerk --preview',
      ])
    )
  ).action(
    withSession(async (session, email: string, app: string, wanted: string[], given) => {
      const { preview, ...limits } = given as WindowOptions & PreviewOption
      const window = windowOf(limits)
      const combine: Combine = (held, ids) => [
        ...held.filter(({ roleId }) => !ids.includes(roleId)),
        ...ids.map((roleId) => ({ roleId, ...window })),
      ]
      const change = preview ? previewRoles : replaceRoles
      await change(session, [email, app], wanted, combine)
    })
  )

  withPreview(
    command(parent, 'remove <email> <app> <roles...>', 'Remove roles from a user', [
      'concierge grants remove alan@acme.example shop clerk --yes',
      'concierge grants remove alan@acme.example shop clerk --preview',
    ])
  ).action(
    withSession(async (session, email: string, app: string, unwanted: string[], given) => {
      const combine: Combine = (held, ids) => held.filter(({ roleId }) => !ids.includes(roleId))
      const { preview } = given as PreviewOption
      if (preview) return previewRoles(session, [email, app], unwanted, combine)
      await session.confirm(`Remove ${unwanted.join(', ')} of ${app} from ${email}?`)
      await replaceRoles(session, [email, app], unwanted, combine)
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

type Combine = (held: Assignment[], ids: number[]) => Assignment[]
type Place = [email: string, appCode: string]

async function previewRoles(session: Session, place: Place, named: string[], combine: Combine) {
  const [email, appCode] = place
  const ids = await roleIds(session, appCode, named)
  const { roles } = await readCombined(session, place, ids, combine)
  await printPreview(session, appCode, [{ op: 'replaceUserRoles', email, roles }])
}

/** The service replaces all roles at once. */
async function replaceRoles(session: Session, place: Place, named: string[], combine: Combine) {
  const [email, appCode] = place
  const ids = await roleIds(session, appCode, named)
  await repeatIfStale(async () => {
    const { roles, etag } = await readCombined(session, place, ids, combine)
    const params = { path: { email, appCode }, ...ifMatch(etag) }
    session.print(await unwrapData(session.api.PUT(ROLES, { params, body: { roles } })), COLUMNS)
  })
}

async function roleIds(session: Session, appCode: string, named: string[]) {
  const defined = await rolesOf(session, appCode)
  return [...new Set(named.map((code) => pickRole(defined, appCode, code).id))]
}

async function readCombined(
  session: Session,
  [email, appCode]: Place,
  ids: number[],
  combine: Combine
) {
  const { data: present, etag } = await readRoles(session, email, appCode)
  const held = present.map(({ roleId, validFrom, validUntil }) => {
    return { roleId, validFrom, validUntil }
  })
  return { roles: combine(held, ids), etag }
}
