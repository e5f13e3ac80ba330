import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { plainRows } from '#core/database/plain_rows'
import { invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import Application from '#app/applications/models/application'
import { notInApplication } from '#app/applications/values/not_in_application'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { createRole } from '#app/permissions/actions/create_role'
import { deletePermission } from '#app/permissions/actions/delete_permission'
import { deleteRole } from '#app/permissions/actions/delete_role'
import { removeApplicationAdmin } from '#app/permissions/actions/remove_application_admin'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import { saveRolePermissions } from '#app/permissions/actions/replace_role_permissions'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import { updatePermission } from '#app/permissions/actions/update_permission'
import type { AccessChange } from '#app/permissions/changes/access_change'
import {
  confirmationsValidator,
  permissionIdValidator,
  resourceValidator,
  roleCodeValidator,
  roleCodesValidator,
  roleIdValidator,
  userValidator,
} from '#app/permissions/changes/access_change_schema'
import { RoleNotFound } from '#app/permissions/exceptions'
import Role from '#app/permissions/models/role'
import {
  administratorValidator,
  overridesValidator,
} from '#app/permissions/validators/assignment_validator'
import { updatePermissionValidator } from '#app/permissions/validators/permission_validator'
import {
  createRoleValidator,
  rolePermissionsValidator,
} from '#app/permissions/validators/role_validator'
import { readUserRoles } from '#app/permissions/validators/user_roles_validator'

type Fields = Record<string, unknown>

const isGiven = (value: unknown) => value !== undefined && value !== null

export const OPERATIONS = [
  'replaceRolePermissions',
  'createRole',
  'deleteRole',
  'replaceUserRoles',
  'replaceOverrides',
  'addAdministrator',
  'removeAdministrator',
  'deletePermission',
  'updatePermission',
] as const

export type Operation = (typeof OPERATIONS)[number]

/**
 * Validates the fields of a change, and returns it with the action of its endpoint.
 *
 * @throws ValidationError
 */
export function readOperation(op: Operation, fields: Fields): Promise<AccessChange> {
  switch (op) {
    case 'replaceRolePermissions':
      return replaceRolePermissionsChange(fields)
    case 'createRole':
      return createRoleChange(fields)
    case 'deleteRole':
      return deleteRoleChange(fields)
    case 'replaceUserRoles':
      return replaceUserRolesChange(fields)
    case 'replaceOverrides':
      return replaceOverridesChange(fields)
    case 'addAdministrator':
      return addAdministratorChange(fields)
    case 'removeAdministrator':
      return removeAdministratorChange(fields)
    case 'deletePermission':
      return deletePermissionChange(fields)
    case 'updatePermission':
      return updatePermissionChange(fields)
  }
}

async function replaceRolePermissionsChange(fields: Fields): Promise<AccessChange> {
  const findRole = await readRole(fields)
  const { permissions } = await rolePermissionsValidator.validate(fields)
  return {
    email: null,
    apply: async (appCode, trx) =>
      saveRolePermissions(appCode, await findRole(appCode, trx), permissions),
  }
}

async function createRoleChange(fields: Fields): Promise<AccessChange> {
  const role = await createRoleValidator.validate(fields)
  return { email: null, apply: (appCode) => createRole(appCode, role) }
}

async function deleteRoleChange(fields: Fields): Promise<AccessChange> {
  const findRole = await readRole(fields)
  return {
    email: null,
    apply: async (appCode, trx) => deleteRole(appCode, await findRole(appCode, trx)),
  }
}

async function replaceUserRolesChange(fields: Fields): Promise<AccessChange> {
  const { email } = await userValidator.validate(fields)
  if (namesRolesByCode(fields)) return replaceUserRolesByCode(email, fields)
  const { grants, fieldAt } = await readUserRoles(fields)
  return { email, apply: (appCode) => replaceUserRoles(email, appCode, grants, { fieldAt }) }
}

async function replaceOverridesChange(fields: Fields): Promise<AccessChange> {
  const { email } = await userValidator.validate(fields)
  const resource = await resourceValidator.validate(fields)
  const { permissions } = await overridesValidator.validate(fields)
  return {
    email,
    apply: (appCode) => replaceOverrides({ email, appCode, ...resource }, permissions),
  }
}

async function addAdministratorChange(fields: Fields): Promise<AccessChange> {
  const { email, ...window } = await administratorValidator.validate(fields)
  return { email, apply: (appCode) => addApplicationAdmin(email, appCode, window) }
}

async function removeAdministratorChange(fields: Fields): Promise<AccessChange> {
  const { email } = await userValidator.validate(fields)
  return { email, apply: (appCode) => removeApplicationAdmin(email, appCode) }
}

async function deletePermissionChange(fields: Fields): Promise<AccessChange> {
  const { permissionId } = await permissionIdValidator.validate(fields)
  return { email: null, apply: (appCode) => deletePermission(appCode, permissionId) }
}

async function updatePermissionChange(fields: Fields): Promise<AccessChange> {
  const { permissionId } = await permissionIdValidator.validate(fields)
  const updated = await updatePermissionValidator.validate(fields)
  const confirmed = await confirmationsValidator.validate(fields)
  return {
    email: null,
    apply: (appCode) => updatePermission(appCode, permissionId, updated, confirmed),
  }
}

type FindRole = (appCode: string, trx: TransactionClientContract) => Promise<number>

/** Finds a role by id, or by code, which an earlier change in the list may create. */
async function readRole(fields: Fields): Promise<FindRole> {
  if (isGiven(fields.roleId) || !isGiven(fields.role)) {
    const { roleId } = await roleIdValidator.validate(fields)
    return async () => roleId
  }
  const { role } = await roleCodeValidator.validate(fields)
  return async (appCode, trx) => {
    const id = (await roleIdsByCode(appCode, trx)).get(role)
    if (id === undefined) throw new RoleNotFound(notInApplication(`Role ${role}`, appCode))
    return id
  }
}

function namesRolesByCode({ roleIds, roles }: Fields): boolean {
  return !isGiven(roleIds) && Array.isArray(roles) && roles.some((item) => isGiven(item?.role))
}

async function replaceUserRolesByCode(email: string, fields: Fields): Promise<AccessChange> {
  const { roles } = await roleCodesValidator.validate(fields)
  return {
    email,
    async apply(appCode, trx) {
      const ids = await roleIdsByCode(appCode, trx)
      requireKnown(roles, ids)
      const grants = roles.map(({ role, ...window }) => ({ roleId: ids.get(role)!, ...window }))
      return replaceUserRoles(email, appCode, grants)
    },
  }
}

async function roleIdsByCode(appCode: string, trx: TransactionClientContract) {
  const { id: applicationId } = await Application.withCode(appCode, trx)
  const roles = await plainRows(
    Role.query({ client: trx }).where({ applicationId }).select('id', 'code')
  )
  return new Map(roles.map(({ code, id }) => [code, id]))
}

/** @throws ValidationError */
function requireKnown(roles: { role: string }[], ids: Map<string, number>) {
  const errors = roles.flatMap(({ role }, index) => {
    if (ids.has(role)) return []
    const message = `The role ${role} does not exist in the application`
    return [{ field: `roles.${index}.role`, rule: 'exists', message }]
  })
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_VALIDATION_ERRORS))
}
