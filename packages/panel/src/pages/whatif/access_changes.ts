import { api } from '@/api/client'
import type { Kind, Supposition } from '@/pages/whatif/hypothesis'
import { type RoleGrant, grantOf, readRoles } from '@/queries/person_roles'
import { fetchOverrides, levelOf, toBody } from '@/queries/overrides'
import type { AccessChange } from '@/queries/preview'

/** What the service tries out, and which supposition each change comes from first. */
export interface Hypothesis {
  changes: AccessChange[]
  origins: number[]
}

/** Something that a supposition names does not exist. */
export class UnknownCode extends Error {
  constructor(
    readonly kind: 'role' | 'permission',
    readonly code: string,
    /** Of the supposition. */
    readonly index: number
  ) {
    super(`There is no ${kind} ${code}`)
  }
}

type UserRoles = { op: 'replaceUserRoles'; email: string; roles: RoleGrant[] }
type RolePermissions = Extract<AccessChange, { op: 'replaceRolePermissions'; roleId: number }>
type Overrides = Extract<AccessChange, { op: 'replaceOverrides' }>

/** A supposition with the ids of what it names; 0 for what does not count. */
interface Named extends Supposition {
  roleId: number
  permissionId: number
}

/** The changes so far, by what they replace. What is there today is read once. */
class Changes {
  readonly #made = new Map<string, { change: AccessChange; origin: number }>()
  /** Of the supposition that is at hand. */
  origin = 0

  async once<Change extends AccessChange>(
    key: unknown[],
    make: () => Change | Promise<Change>
  ): Promise<Change> {
    const name = JSON.stringify(key)
    const existing = this.#made.get(name)
    if (existing) return existing.change as Change
    const change = await make()
    this.#made.set(name, { change, origin: this.origin })
    return change
  }

  get hypothesis(): Hypothesis {
    const all = [...this.#made.values()]
    return { changes: all.map(({ change }) => change), origins: all.map(({ origin }) => origin) }
  }
}

interface Context {
  appCode: string
  changes: Changes
  grants: {
    roleId: number
    permissionId: number
    accessLevel: 'allowed' | 'view' | 'edit'
    condition: string | null
  }[]
  signal: AbortSignal
}

type Apply = (one: Named, context: Context) => Promise<unknown>

const replaceRoles: Apply = async (one, { appCode, changes, signal }) => {
  const { kind, email, roleId } = one
  const change = await changes.once<UserRoles>(['roles', email], async () => {
    const held = await readRoles({ email, appCode }, signal)
    return { op: 'replaceUserRoles', email, roles: held.roles.map(grantOf) }
  })
  // A role that begins later or has ended counts from now on.
  change.roles = change.roles.filter((held) => held.roleId !== roleId)
  if (kind === 'assign') change.roles.push({ roleId })
}

const replaceGrants: Apply = async (one, { changes, grants }) => {
  const { roleId, permissionId, level } = one
  const change = await changes.once<RolePermissions>(['grants', roleId], () => ({
    op: 'replaceRolePermissions',
    roleId,
    permissions: grants
      .filter((grant) => grant.roleId === roleId)
      .map(({ permissionId: id, accessLevel, condition }) => {
        return { permissionId: id, accessLevel, condition }
      }),
  }))
  const before = change.permissions.find((held) => held.permissionId === permissionId)
  change.permissions = change.permissions.filter((held) => held !== before)
  if (level !== 'none' && level !== 'deny') {
    // As in the matrix, another level keeps the condition.
    const condition = before?.condition ?? null
    change.permissions.push({ permissionId, accessLevel: level, condition })
  }
}

const replaceOverrides: Apply = async (one, { appCode, changes, signal }) => {
  const { email, resourceType, resourceId, permissionId, level } = one
  const place = { email, appCode, resourceType, resourceId }
  const change = await changes.once<Overrides>(['overrides', place], async () => {
    const { overrides } = await fetchOverrides(place, signal)
    const permissions = overrides.map(toBody)
    return { op: 'replaceOverrides', email, resourceType, resourceId, permissions }
  })
  change.permissions = change.permissions.filter((held) => held.permissionId !== permissionId)
  if (level === 'deny') change.permissions.push({ permissionId, granted: false })
  else if (level !== 'none') {
    change.permissions.push({ permissionId, granted: true, ...levelOf(level) })
  }
}

const APPLY: Record<Kind, Apply> = {
  assign: replaceRoles,
  unassign: replaceRoles,
  grant: replaceGrants,
  override: replaceOverrides,
  addAdministrator: ({ email }, { changes }) =>
    changes.once(['add', email], () => ({ op: 'addAdministrator', email })),
  removeAdministrator: ({ email }, { changes }) =>
    changes.once(['remove', email], () => ({ op: 'removeAdministrator', email })),
  deleteRole: ({ roleId }, { changes }) =>
    changes.once(['role', roleId], () => ({ op: 'deleteRole', roleId })),
  deletePermission: ({ permissionId }, { changes }) =>
    changes.once(['permission', permissionId], () => ({ op: 'deletePermission', permissionId })),
}

/**
 * Turns suppositions into changes. The service replaces whole lists, so all suppositions about one
 * list become one change.
 *
 * @throws UnknownCode, Problem
 */
export async function changesOf(
  appCode: string,
  suppositions: Supposition[],
  signal: AbortSignal
): Promise<Hypothesis> {
  const { roles, permissions, grants } = await readMatrix(appCode, signal)
  const changes = new Changes()
  for (const [index, one] of suppositions.entries()) {
    changes.origin = index
    const find = (kind: 'role' | 'permission') => {
      const list: { id: number; code: string }[] = kind === 'role' ? roles : permissions
      const found = list.find(({ code }) => code === one[kind])
      if (one[kind] !== '' && !found) throw new UnknownCode(kind, one[kind], index)
      return found?.id ?? 0
    }
    const named = { ...one, roleId: find('role'), permissionId: find('permission') }
    await APPLY[one.kind](named, { appCode, changes, grants, signal })
  }
  return changes.hypothesis
}

async function readMatrix(appCode: string, signal: AbortSignal) {
  const params = { path: { appCode } }
  const path = '/api/applications/{appCode}/role-permissions'
  return (await api.GET(path, { params, signal })).data!.data
}
