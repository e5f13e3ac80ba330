import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { insertApplication } from '#app/applications/actions/create_application'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import {
  APPLICATION_ENTITY,
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_ADMIN_ROLE,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import RolePermission from '#app/permissions/models/role_permission'

/**
 * Creates the missing parts of the panel application (authentication.md#panel-application).
 *
 * @returns what was created, for example `role panel_admin`
 */
export async function seedPanel(trx: TransactionClientContract): Promise<string[]> {
  const application =
    (await Application.findBy({ code: PANEL_APPLICATION }, { client: trx })) ??
    (await insertApplication({ code: PANEL_APPLICATION, name: 'Auth' }, trx))
  const { id: applicationId } = application
  const entity = await Entity.firstOrCreate(
    { applicationId, code: APPLICATION_ENTITY },
    { name: 'Application', description: 'A managed application', idLabel: 'Application code' },
    { client: trx }
  )
  const permission = await Permission.firstOrCreate(
    { applicationId, code: MANAGE_APPLICATIONS },
    {
      type: 'tiered',
      global: false,
      groupName: 'Applications',
      description: 'View or edit applications in the admin panel',
    },
    { client: trx }
  )
  const manager = await Role.firstOrCreate(
    { applicationId, code: APPLICATION_MANAGER_ROLE },
    { description: 'Opens the admin panel; access to applications is granted separately' },
    { client: trx }
  )
  const role = await Role.firstOrCreate(
    { applicationId, code: PANEL_ADMIN_ROLE },
    { description: 'Manages all applications' },
    { client: trx }
  )
  if (role.$isLocal) {
    await RolePermission.create(
      { roleId: role.id, permissionId: permission.id, accessLevel: 'edit' },
      { client: trx }
    )
  }
  const seeded = { application, entity, permission, manager, role }
  return Object.entries(seeded)
    .filter(([, row]) => row.$isLocal)
    .map(([name, { code }]) => `${name === 'manager' ? 'role' : name} ${code}`)
}
