import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { APPLICATION_ENTITY, PANEL_APPLICATION } from '#app/applications/values/panel'

/** The panel levels of users on the application with this code. */
export function panelOverrides(code: string, trx: TransactionClientContract) {
  return trx
    .from('resource_overrides')
    .where('resource_type', APPLICATION_ENTITY)
    .where('resource_id', code)
    .whereIn('permission_id', (permissions) =>
      permissions
        .from('permissions')
        .join('applications', 'applications.id', 'permissions.application_id')
        .where('applications.code', PANEL_APPLICATION)
        .select('permissions.id')
    )
}
