import db from '@adonisjs/lucid/services/db'

export interface UserRights {
  roles: { appCode: string; roleCodes: string[] }[]
  administratorOf: string[]
  /** Null if the caller may not know. */
  superAdmin: boolean | null
}

/** @param visible the ids of the applications that the viewer may know about; undefined for all */
export async function readUserRights(email: string, visible?: number[]): Promise<UserRights> {
  const roles: { appCode: string; roleCode: string }[] = await db
    .from('user_roles')
    .join('roles', 'roles.id', 'user_roles.role_id')
    .join('applications', 'applications.id', 'roles.application_id')
    .where('user_roles.email', email)
    .if(visible, (query) => void query.whereIn('applications.id', visible!))
    .orderBy('applications.id')
    .orderBy('roles.id')
    .select('applications.code as appCode', 'roles.code as roleCode')
  const administered: { code: string }[] = await db
    .from('application_admins')
    .join('applications', 'applications.id', 'application_admins.application_id')
    .where('application_admins.email', email)
    .if(visible, (query) => void query.whereIn('applications.id', visible!))
    .orderBy('applications.id')
    .select('applications.code as code')
  const isSuperAdmin =
    visible === undefined && (await db.from('super_admins').where('email', email).first()) !== null
  return {
    roles: [...Map.groupBy(roles, ({ appCode }) => appCode)].map(([appCode, rows]) => ({
      appCode,
      roleCodes: rows.map(({ roleCode }) => roleCode),
    })),
    administratorOf: administered.map(({ code }) => code),
    superAdmin: visible === undefined ? isSuperAdmin : null,
  }
}
