import { ifMatch, unwrapTagged } from '@concierge/client'
import { usageFailure } from '../errors.ts'
import { permissionsOf, pickPermission } from '../lookup.ts'
import { printPreview } from '../preview.ts'
import { repeatIfStale } from '../repeat_if_stale.ts'
import { type Session, unwrapData } from '../session.ts'

const PERMISSIONS = '/api/applications/{appCode}/roles/{roleId}/permissions'
const COLUMNS = ['permissionCode', 'type', 'accessLevel', 'condition']
const LEVELS = ['allowed', 'view', 'edit'] as const

interface RolePath {
  appCode: string
  roleId: number
}

interface Grant {
  permissionId: number
  accessLevel: (typeof LEVELS)[number]
}

export async function printPermissions(session: Session, path: RolePath) {
  const result = session.api.GET(PERMISSIONS, { params: { path } })
  session.print(await unwrapData(result), COLUMNS)
}

/** Reads `orders=edit` and `export`. @throws Failure */
export async function parseGrants(
  session: Session,
  app: string,
  grants: string[]
): Promise<Grant[]> {
  const defined = await permissionsOf(session, app)
  return grants.map((text) => {
    const [code, level] = text.split(/=(.*)/s)
    const { id: permissionId, type } = pickPermission(defined, app, code!)
    if (level === undefined && type === 'tiered') {
      throw usageFailure(`${code} needs a level: ${code}=view or ${code}=edit`)
    }
    const accessLevel = LEVELS.find((each) => each === (level ?? 'allowed'))
    if (accessLevel) return { permissionId, accessLevel }
    throw usageFailure(`The level must be one of ${LEVELS.join(', ')}: ${level}`)
  })
}

export async function previewPermissions(
  session: Session,
  { appCode, roleId }: RolePath,
  wanted: Grant[],
  when: string | undefined
) {
  const { permissions } = await readWanted(session, { appCode, roleId }, wanted, when)
  const change = { op: 'replaceRolePermissions' as const, roleId, permissions }
  await printPreview(session, appCode, [change])
}

export async function replacePermissions(
  session: Session,
  path: RolePath,
  wanted: Grant[],
  when: string | undefined
) {
  await repeatIfStale(async () => {
    const { permissions, etag } = await readWanted(session, path, wanted, when)
    const params = { path, ...ifMatch(etag) }
    const result = session.api.PUT(PERMISSIONS, { params, body: { permissions } })
    session.print(await unwrapData(result), COLUMNS)
  })
}

/** The wanted grants, each with the given condition or its own. */
async function readWanted(
  session: Session,
  path: RolePath,
  wanted: Grant[],
  when: string | undefined
) {
  const read = session.api.GET(PERMISSIONS, { params: { path } })
  const { data: current, etag } = await unwrapTagged(read)
  const stored = new Map(current.map((each) => [each.permissionId, each.condition]))
  const permissions = wanted.map((grant) => ({
    ...grant,
    condition: when === undefined ? (stored.get(grant.permissionId) ?? null) : when || null,
  }))
  return { permissions, etag }
}
