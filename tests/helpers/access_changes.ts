import fc from 'fast-check'
import { DateTime } from 'luxon'
import { deleteApplication } from '#app/applications/actions/delete_application'
import Application from '#app/applications/models/application'
import { handleLifecycleEvent } from '#app/identity_provider/user_lifecycle/handle_lifecycle_event'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { removeApplicationAdmin } from '#app/permissions/actions/remove_application_admin'
import { addSuperAdmin } from '#app/permissions/actions/add_super_admin'
import { removeSuperAdmin } from '#app/permissions/actions/remove_super_admin'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import { replaceRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { createPermission } from '#app/permissions/actions/create_permission'
import { deletePermission } from '#app/permissions/actions/delete_permission'
import { updatePermission } from '#app/permissions/actions/update_permission'
import { createRole } from '#app/permissions/actions/create_role'
import { deleteRole } from '#app/permissions/actions/delete_role'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import {
  ALWAYS,
  type AccessWorld,
  PERMISSION_CODES,
  RESOURCES,
  ROLE_CODES,
  permissionOf,
} from '#tests/helpers/access_world'

export const RENAMED = 'renamed'

const person = fc.nat(2)
const app = fc.nat(2)
const code = fc.constantFrom(...PERMISSION_CODES)
const role = fc.constantFrom(...ROLE_CODES)
const level = fc.constantFrom('view' as const, 'edit' as const)

/** Any change of any input of the evaluation. */
export const changePlan = fc.oneof(
  fc.record({
    kind: fc.constant('lifecycle' as const),
    person,
    type: fc.constantFrom(
      'user.created' as const,
      'user.deactivated' as const,
      'user.reactivated' as const,
      'user.removed' as const
    ),
  }),
  fc.record({ kind: fc.constant('superAdmin' as const), person }),
  fc.record({ kind: fc.constant('administrator' as const), person, app }),
  fc.record({
    kind: fc.constant('userRoles' as const),
    person,
    app,
    roles: fc.subarray(ROLE_CODES),
  }),
  fc.record({
    kind: fc.constant('rolePermissions' as const),
    app,
    role,
    gives: fc.subarray(PERMISSION_CODES),
    level,
  }),
  fc.record({
    kind: fc.constant('overrides' as const),
    person,
    app,
    resource: fc.nat(RESOURCES.length - 1),
    codes: fc.subarray(PERMISSION_CODES),
    granted: fc.boolean(),
    level: fc.option(level),
  }),
  fc.record({
    kind: fc.constant('permission' as const),
    app,
    code,
    change: fc.constantFrom('global' as const, 'rename' as const, 'delete' as const),
  }),
  fc.record({ kind: fc.constant('role' as const), app, role }),
  fc.record({ kind: fc.constant('application' as const), app })
)

export type Change = typeof changePlan extends fc.Arbitrary<infer Plan> ? Plan : never
type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** Makes a change through the service's actions, and in the world. */
export async function applyChange(world: AccessWorld, change: Change): Promise<void> {
  switch (change.kind) {
    case 'lifecycle':
      return changeLifecycle(world, change)
    case 'superAdmin':
      return toggleSuperAdmin(world, pick(world.people, change.person))
  }
  if (world.applications.length === 0) return
  const appCode = pick(world.applications, change.app)
  switch (change.kind) {
    case 'administrator':
      return toggleAdministrator(world, pick(world.people, change.person), appCode)
    case 'userRoles':
      return assignRoles(world, pick(world.people, change.person), appCode, change.roles)
    case 'rolePermissions':
      return replaceGrants(world, appCode, change)
    case 'overrides':
      return override(world, appCode, change)
    case 'permission':
      return changePermission(world, appCode, change)
    case 'role':
      return toggleRole(world, appCode, change.role)
    case 'application':
      await deleteApplication(appCode)
      world.applications = world.applications.filter((other) => other !== appCode)
      removeRows(world, (row) => row.app === appCode)
  }
}

async function changeLifecycle(
  world: AccessWorld,
  { person: number, type }: ChangeOf<'lifecycle'>
) {
  const email = pick(world.people, number)
  const occurredAt = DateTime.utc()
  const event = { type, email, userId: null, orgId: null, names: {}, occurredAt }
  await handleLifecycleEvent(event)
  let user = world.users.find((row) => row.email === email)
  if (!user) world.users.push((user = { email, active: true }))
  if (type === 'user.reactivated') user.active = true
  if (type === 'user.deactivated' || type === 'user.removed') user.active = false
}

async function toggleSuperAdmin(world: AccessWorld, email: string) {
  if (world.superAdmins.includes(email)) {
    await removeSuperAdmin(email)
    world.superAdmins = world.superAdmins.filter((other) => other !== email)
  } else {
    await addSuperAdmin(email)
    world.superAdmins.push(email)
  }
}

async function toggleAdministrator(world: AccessWorld, email: string, appCode: string) {
  const isAdmin = (row: { email: string; app: string }) =>
    row.email === email && row.app === appCode
  if (world.applicationAdmins.some(isAdmin)) {
    await removeApplicationAdmin(email, appCode)
    world.applicationAdmins = world.applicationAdmins.filter((row) => !isAdmin(row))
  } else {
    await addApplicationAdmin(email, appCode)
    world.applicationAdmins.push({ email, app: appCode, window: ALWAYS })
  }
}

async function assignRoles(
  world: AccessWorld,
  email: string,
  appCode: string,
  requested: string[]
) {
  const roles = requested.filter((name) =>
    world.roles.some((row) => row.app === appCode && row.role === name)
  )
  const grants = await Promise.all(
    roles.map(async (name) => ({ roleId: await roleId(appCode, name) }))
  )
  await replaceUserRoles(email, appCode, grants)
  world.userRoles = world.userRoles.filter((row) => row.email !== email || row.app !== appCode)
  world.userRoles.push(
    ...roles.map((name) => ({ email, app: appCode, role: name, window: ALWAYS }))
  )
}

async function replaceGrants(
  world: AccessWorld,
  appCode: string,
  plan: ChangeOf<'rolePermissions'>
) {
  const name = plan.role
  if (!world.roles.some((row) => row.app === appCode && row.role === name)) return
  const given = plan.gives
    .map((permission) => permissionOf(world, appCode, permission))
    .filter((permission) => permission !== undefined)
    .map(({ code: permission, type }) => ({
      permission,
      level: type === 'tiered' ? plan.level : ('allowed' as const),
    }))
  const grants = await Promise.all(
    given.map(async (grant) => ({
      permissionId: await permissionId(appCode, grant.permission),
      accessLevel: grant.level,
    }))
  )
  await replaceRolePermissions(appCode, await roleId(appCode, name), grants)
  world.rolePermissions = world.rolePermissions.filter(
    (row) => row.app !== appCode || row.role !== name
  )
  world.rolePermissions.push(
    ...given.map((grant) => ({ app: appCode, role: name, condition: null, ...grant }))
  )
}

async function override(world: AccessWorld, appCode: string, plan: ChangeOf<'overrides'>) {
  const email = pick(world.people, plan.person)
  const resource = RESOURCES[plan.resource]
  const requested = plan.codes
    .map((permission) => permissionOf(world, appCode, permission))
    .filter((permission) => permission !== undefined && !permission.global)
    .map((permission) => ({
      permission: permission!.code,
      granted: plan.granted,
      level: plan.granted && permission!.type === 'tiered' ? plan.level : null,
    }))
  const items = await Promise.all(
    requested.map(async (row) => ({
      permissionId: await permissionId(appCode, row.permission),
      granted: row.granted,
      accessLevel: row.level,
    }))
  )
  await replaceOverrides({ email, appCode, ...resource }, items)
  world.overrides = world.overrides.filter(
    (row) =>
      row.email !== email ||
      row.app !== appCode ||
      row.resourceType !== resource.resourceType ||
      row.resourceId !== resource.resourceId
  )
  world.overrides.push(
    ...requested.map((row) => {
      return { email, app: appCode, ...resource, window: ALWAYS, condition: null, ...row }
    })
  )
}

async function changePermission(world: AccessWorld, appCode: string, plan: ChangeOf<'permission'>) {
  const known = permissionOf(world, appCode, plan.code)
  if (!known) {
    const fields = { code: plan.code, type: 'tiered' as const, global: false, groupName: 'b' }
    await createPermission(appCode, fields)
    world.permissions.push({ app: appCode, ...fields })
    return
  }
  const id = await permissionId(appCode, plan.code)
  if (plan.change === 'global') {
    await updatePermission(appCode, id, { global: !known.global }, { force: true })
    known.global = !known.global
  } else if (plan.change === 'rename' && !permissionOf(world, appCode, RENAMED)) {
    await updatePermission(appCode, id, { code: RENAMED }, { rename: true })
    for (const row of [...world.rolePermissions, ...world.overrides]) {
      if (row.app === appCode && row.permission === plan.code) row.permission = RENAMED
    }
    known.code = RENAMED
  } else {
    await deletePermission(appCode, id)
    world.permissions = world.permissions.filter((row) => row !== known)
    removeRows(world, (row) => row.app === appCode && row.permission === plan.code)
  }
}

async function toggleRole(world: AccessWorld, appCode: string, name: string) {
  if (world.roles.some((row) => row.app === appCode && row.role === name)) {
    await deleteRole(appCode, await roleId(appCode, name))
    removeRows(world, (row) => row.app === appCode && row.role === name)
  } else {
    await createRole(appCode, { code: name })
    world.roles.push({ app: appCode, role: name })
  }
}

/** Removes matching rows from all tables of applications. */
function removeRows(
  world: AccessWorld,
  matches: (row: { app: string; role?: string; permission?: string }) => boolean
) {
  const isKept = (row: { app: string }) => !matches(row)
  world.applicationAdmins = world.applicationAdmins.filter(isKept)
  world.permissions = world.permissions.filter(isKept)
  world.roles = world.roles.filter(isKept)
  world.rolePermissions = world.rolePermissions.filter(isKept)
  world.userRoles = world.userRoles.filter(isKept)
  world.overrides = world.overrides.filter(isKept)
  world.catalog = world.catalog.filter(isKept)
}

async function permissionId(appCode: string, permission: string) {
  const { id: applicationId } = await Application.withCode(appCode)
  return (await Permission.findByOrFail({ applicationId, code: permission })).id
}

async function roleId(appCode: string, name: string) {
  const { id: applicationId } = await Application.withCode(appCode)
  return (await Role.findByOrFail({ applicationId, code: name })).id
}

function pick<T>(values: T[], number: number): T {
  return values[number % values.length]
}
