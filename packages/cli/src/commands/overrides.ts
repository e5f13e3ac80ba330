import { ifMatch, unwrapTagged } from '@concierge/client'
import { type Command, Option } from 'commander'
import { command } from '../command.ts'
import { findPermission } from '../lookup.ts'
import { repeatIfStale } from '../repeat_if_stale.ts'
import { type Resource, parseResource } from '../resource.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

const ALL = '/api/users/{email}/apps/{appCode}/resources'
const OF_RESOURCE =
  '/api/users/{email}/apps/{appCode}/resources/{resourceType}/{resourceId}/permissions'
const COLUMNS = ['resourceType', 'resourceId', 'permission', 'granted', 'accessLevel']

interface Where {
  resource: Resource
}
interface Grant extends Where {
  level?: 'view' | 'edit'
}
interface Decision {
  granted: boolean
  accessLevel?: 'view' | 'edit'
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

  onResource(
    command(parent, 'allow <email> <app> <permission>', 'Grant a permission on one resource', [
      'concierge grants allow alan@acme.example shop orders --resource order:42 --level view',
    ])
  )
    .addOption(
      new Option('--level <level>', 'access level; edit by default').choices(['view', 'edit'])
    )
    .action(
      withSession(async (session, email: string, app: string, code: string, given: Grant) => {
        const { level: accessLevel } = given
        const decision = { granted: true, ...(accessLevel && { accessLevel }) }
        await replaceOverride(session, [email, app, code], given.resource, decision)
      })
    )

  onResource(
    command(parent, 'deny <email> <app> <permission>', 'Deny a permission on one resource', [
      'concierge grants deny alan@acme.example shop orders --resource order:42',
    ])
  ).action(
    withSession(async (session, email: string, app: string, code: string, given: Where) => {
      await replaceOverride(session, [email, app, code], given.resource, { granted: false })
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
