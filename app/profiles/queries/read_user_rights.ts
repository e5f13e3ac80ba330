import db from '@adonisjs/lucid/services/db'
import { onlyActive } from '#core/database/active_rows'

/** What a user holds now (permissions.md#time-windows). */
export interface UserRights {
  roles: { appCode: string; roleCodes: string[] }[]
  administratorOf: string[]
  /** The number of overrides by application; applications without one are left out. */
  overrides: { appCode: string; count: number }[]
  /** Null if the caller may not know. */
  superAdmin: boolean | null
}

/** @param visible the ids of the applications that the viewer may know about; undefined for all */
export async function readUserRights(email: string, visible?: number[]): Promise<UserRights> {
  const roles: { appCode: string; roleCode: string }[] = await onlyActive(
    db.from('user_roles'),
    'user_roles'
  )
    .join('roles', 'roles.id', 'user_roles.role_id')
    .join('applications', 'applications.id', 'roles.application_id')
    .where('user_roles.email', email)
    .if(visible, (query) => void query.whereIn('applications.id', visible!))
    .orderBy('applications.id')
    .orderBy('roles.id')
    .select('applications.code as appCode', 'roles.code as roleCode')
  const administered: { code: string }[] = await onlyActive(
    db.from('application_admins'),
    'application_admins'
  )
    .join('applications', 'applications.id', 'application_admins.application_id')
    .where('application_admins.email', email)
    .if(visible, (query) => void query.whereIn('applications.id', visible!))
    .orderBy('applications.id')
    .select('applications.code as code')
  const overrides: { code: string; total: number | string }[] = await onlyActive(
    db.from('resource_overrides'),
    'resource_overrides'
  )
    .join('permissions', 'permissions.id', 'resource_overrides.permission_id')
    .join('applications', 'applications.id', 'permissions.application_id')
    .where('resource_overrides.email', email)
    .if(visible, (query) => void query.whereIn('applications.id', visible!))
    .groupBy('applications.id', 'applications.code')
    .orderBy('applications.id')
    .select('applications.code as code')
    .count('* as total')
  const superAdmins = onlyActive(db.from('super_admins').where('email', email), 'super_admins')
  const isSuperAdmin = visible === undefined && (await superAdmins.first()) !== null
  return {
    roles: [...Map.groupBy(roles, ({ appCode }) => appCode)].map(([appCode, rows]) => ({
      appCode,
      roleCodes: rows.map(({ roleCode }) => roleCode),
    })),
    administratorOf: administered.map(({ code }) => code),
    overrides: overrides.map(({ code, total }) => ({ appCode: code, count: Number(total) })),
    superAdmin: visible === undefined ? isSuperAdmin : null,
  }
}
