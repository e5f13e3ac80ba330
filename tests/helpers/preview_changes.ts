import fc from 'fast-check'
import Application from '#app/applications/models/application'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import { conditionPlan } from '#tests/helpers/access_conditions'
import {
  type AccessWorld,
  NEW_YEAR,
  PERMISSION_CODES,
  RESOURCES,
  ROLE_CODES,
} from '#tests/helpers/access_world'

/** Random changes for the body of a preview. */
const person = fc.nat(3)
const permission = fc.constantFrom(...PERMISSION_CODES)
const role = fc.constantFrom(...ROLE_CODES)
const level = fc.constantFrom('view' as const, 'edit' as const)
const window = fc.constantFrom(
  {},
  {},
  { validUntil: new Date(NEW_YEAR - 1).toISOString() },
  { validFrom: new Date(NEW_YEAR + 1).toISOString(), validUntil: null }
)
const NEW_ROLE = 'newcomer'
const NEW_RESOURCE = { resourceType: 'order', resourceId: 'only an override names this' }

const grants = fc.uniqueArray(fc.record({ permission, level, condition: conditionPlan }), {
  selector: (grant) => grant.permission,
})

export const previewPlan = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('replaceRolePermissions' as const), role, grants }),
    fc.record({ op: fc.constant('createRole' as const), person, grants }),
    fc.record({ op: fc.constant('deleteRole' as const), role }),
    fc.record({
      op: fc.constant('replaceUserRoles' as const),
      person,
      roles: fc.subarray(ROLE_CODES),
      window,
    }),
    fc.record({
      op: fc.constant('replaceOverrides' as const),
      person,
      resource: fc.constantFrom(...RESOURCES, NEW_RESOURCE),
      granted: fc.boolean(),
      grants,
      window,
    }),
    fc.record({ op: fc.constant('addAdministrator' as const), person, window }),
    fc.record({ op: fc.constant('removeAdministrator' as const), person }),
    fc.record({ op: fc.constant('deletePermission' as const), permission }),
    fc.record({
      op: fc.constant('updatePermission' as const),
      permission,
      fields: fc.constantFrom({ global: true }, { global: false }, { code: 'renamed' }),
    })
  ),
  { minLength: 1, maxLength: 4 }
)

type Plan = typeof previewPlan extends fc.Arbitrary<infer List> ? List : never

/** Leaves out changes that the world makes impossible. */
export async function previewBody(world: AccessWorld, appCode: string, plan: Plan) {
  const { id: applicationId } = await Application.withCode(appCode)
  const permissions = new Map(
    (await Permission.findManyBy({ applicationId })).map((each) => [
      each.code,
      { ...each.$attributes } as Permission,
    ])
  )
  const roles = new Map(
    (await Role.findManyBy({ applicationId })).map((each) => [each.code, each.id])
  )
  const admins = new Set(
    world.applicationAdmins.filter(({ app }) => app === appCode).map(({ email }) => email)
  )
  const people = [...world.people, `new-${world.people[0]}`]
  const emailOf = (number: number) => people[number % people.length]
  const levelOf = (of: Permission, wanted: 'view' | 'edit') =>
    of.type === 'tiered' ? wanted : 'allowed'
  const grantsOf = (given: (Plan[number] & { op: 'createRole' })['grants']) =>
    given.flatMap(({ permission: code, level: wanted, condition }) => {
      const known = permissions.get(code)
      return known
        ? [{ permissionId: known.id, accessLevel: levelOf(known, wanted), condition }]
        : []
    })
  const body: Record<string, unknown>[] = []
  let created = false
  for (const change of plan) {
    switch (change.op) {
      case 'replaceRolePermissions': {
        const roleId = roles.get(change.role)
        if (roleId) body.push({ op: change.op, roleId, permissions: grantsOf(change.grants) })
        break
      }
      case 'createRole': {
        if (created) break
        created = true
        body.push(
          { op: change.op, code: NEW_ROLE },
          { op: 'replaceRolePermissions', role: NEW_ROLE, permissions: grantsOf(change.grants) },
          { op: 'replaceUserRoles', email: emailOf(change.person), roles: [{ role: NEW_ROLE }] }
        )
        break
      }
      case 'deleteRole': {
        const roleId = roles.get(change.role)
        roles.delete(change.role)
        if (roleId) body.push({ op: change.op, roleId })
        break
      }
      case 'replaceUserRoles': {
        const ids = change.roles.flatMap((code) => roles.get(code) ?? [])
        const wanted = ids.map((roleId) => ({ roleId, ...change.window }))
        body.push({ op: change.op, email: emailOf(change.person), roles: wanted })
        break
      }
      case 'replaceOverrides': {
        const items = change.grants.flatMap(({ permission: code, level: wanted, condition }) => {
          const known = permissions.get(code)
          if (!known || known.global) return []
          const accessLevel = known.type === 'tiered' && change.granted ? wanted : null
          const { granted, window: limits } = change
          return [{ permissionId: known.id, granted, accessLevel, condition, ...limits }]
        })
        const email = emailOf(change.person)
        body.push({ op: change.op, email, ...change.resource, permissions: items })
        break
      }
      case 'addAdministrator': {
        const email = emailOf(change.person)
        admins.add(email)
        body.push({ op: change.op, email, ...change.window })
        break
      }
      case 'removeAdministrator': {
        const email = emailOf(change.person)
        if (admins.delete(email)) body.push({ op: change.op, email })
        break
      }
      case 'deletePermission': {
        const known = permissions.get(change.permission)
        permissions.delete(change.permission)
        if (known) body.push({ op: change.op, permissionId: known.id })
        break
      }
      case 'updatePermission': {
        const known = permissions.get(change.permission)
        if (!known || ('code' in change.fields && permissions.has('renamed'))) break
        const { code = known.code } = change.fields as { code?: string }
        permissions.delete(known.code)
        const { global = known.global } = change.fields as { global?: boolean }
        permissions.set(code, { ...known, code, global } as Permission)
        body.push({
          op: change.op,
          permissionId: known.id,
          ...change.fields,
          rename: true,
          force: true,
        })
      }
    }
  }
  return body
}
