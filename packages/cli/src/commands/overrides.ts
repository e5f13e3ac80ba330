import { ifMatch, unwrapTagged } from '@concierge/client'
import { type Command, Option } from 'commander'
import { command } from '../command.ts'
import { findPermission } from '../lookup.ts'
import { repeatIfStale } from '../repeat_if_stale.ts'
import { type Resource, parseResource } from '../resource.ts'
import { type ConditionOption, onCondition } from '../condition.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { type WindowOptions, inWindow, windowOf } from '../time_window.ts'

const ALL = '/api/users/{email}/apps/{appCode}/resources'
const OF_RESOURCE =
  '/api/users/{email}/apps/{appCode}/resources/{resourceType}/{resourceId}/permissions'
const COLUMNS = [
  ...(['resourceType', 'resourceId', 'permission', 'granted', 'accessLevel', 'condition'] as const),
  ...(['state', 'validFrom', 'validUntil'] as const),
]

interface Where {
  resource: Resource
}
interface Denial extends Where, WindowOptions, ConditionOption {}
interface Grant extends Denial {
  level?: 'view' | 'edit'
}
interface Decision {
  granted: boolean
  accessLevel?: 'view' | 'edit'
  validFrom?: string
  validUntil?: string
  condition?: string
}

export function overrides(parent: Command): void {
  command(parent, 'overrides <email> <app>', "List a user's overrides", [
    'concierge grants overrides alan@acme.example shop',
  ]).action(
    withSession(async (session, email: string, appCode: string) => {
      const params = { path: { email, appCode } }
      session.print(await unwrapData(session.api.GET(ALL, { params })), COLUMNS)
    })
  )

  decided(
    command(parent, 'allow <email> <app> <permission>', 'Grant a permission on one resource', [
      'concierge grants allow alan@acme.example shop orders --resource order:42 --level view',
      `concierge grants allow alan@acme.example shop orders --resource order:42 --when 'context.ip == "10.0.0.7"'`,
    ]).addOption(
      new Option('--level <level>', 'access level; edit by default').choices(['view', 'edit'])
    )
  ).action(
    withSession(async (session, email: string, app: string, code: string, given: Grant) => {
      const { level: accessLevel } = given
      const decision = { granted: true, ...(accessLevel && { accessLevel }), ...limitsOf(given) }
      await replaceOverride(session, [email, app, code], given.resource, decision)
    })
  )

  decided(
    command(parent, 'deny <email> <app> <permission>', 'Deny a permission on one resource', [
      'concierge grants deny alan@acme.example shop orders --resource order:42',
    ])
  ).action(
    withSession(async (session, email: string, app: string, code: string, given: Denial) => {
      const decision = { granted: false, ...limitsOf(given) }
      await replaceOverride(session, [email, app, code], given.resource, decision)
    })
  )

  onResource(
    command(parent, 'unset <email> <app> <permission>', 'Remove an override from one resource', [
      'concierge grants unset alan@acme.example shop orders --resource order:42 --yes',
    ])
  ).action(
    withSession(async (session, email: string, app: string, code: string, given: Where) => {
      await session.confirm(`Remove the override of ${code} from ${email}?`)
      await replaceOverride(session, [email, app, code], given.resource, null)
    })
  )
}

const decided = (target: Command) => onCondition(inWindow(onResource(target)))

function limitsOf({ when, ...window }: Denial) {
  return { ...windowOf(window), ...(when !== undefined && { condition: when }) }
}

function onResource(target: Command) {
  return target.addOption(
    new Option('--resource <type:id>', 'resource, such as order:42')
      .argParser(parseResource)
      .makeOptionMandatory()
  )
}

/** The service replaces all overrides of a resource at once, so this sends the others again. */
async function replaceOverride(
  session: Session,
  [email, appCode, code]: [email: string, appCode: string, code: string],
  where: Resource,
  decision: Decision | null
) {
  const { id: permissionId } = await findPermission(session, appCode, code)
  const path = { email, appCode, resourceType: where.type, resourceId: where.id }
  await repeatIfStale(async () => {
    const read = session.api.GET(OF_RESOURCE, { params: { path } })
    const { data: current, etag } = await unwrapTagged(read)
    const others = current.filter((each) => each.permissionId !== permissionId)
    const permissions = [
      ...others.map((each) => ({
        permissionId: each.permissionId,
        granted: each.granted,
        ...(each.granted && levelOf(each.accessLevel)),
        condition: each.condition,
        validFrom: each.validFrom,
        validUntil: each.validUntil,
      })),
      ...(decision ? [{ permissionId, ...decision }] : []),
    ]
    const params = { path, ...ifMatch(etag) }
    const result = session.api.PUT(OF_RESOURCE, { params, body: { permissions } })
    session.print(await unwrapData(result), COLUMNS)
  })
}

/** Binary permissions take no level. */
function levelOf(accessLevel: string | null) {
  return accessLevel === 'view' || accessLevel === 'edit' ? { accessLevel } : {}
}
