import { PreparedQuery } from '#core/database/prepared_query'
import {
  APPLICATION_ENTITY,
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import { isActive } from '#core/database/active_rows'
import type { AccessLevel } from '#app/permissions/values/access_level'

export interface PanelAccessRow {
  kind: 'admin' | 'override' | 'manager'
  app_code: string | null
  granted: boolean | number | null
  access_level: AccessLevel | null
}

/** For an address and the moment of `databaseMoment`. */
export const panelAccessRows = new PreparedQuery<PanelAccessRow>(
  'panel_access',
  `select 'admin' as kind, a.code as app_code, null as granted, null as access_level
   from application_admins m join applications a on a.id = m.application_id
   where m.email = $1 and ${isActive('m', '$2')}
   union all
   select 'override', o.resource_id, case when o.granted then 1 else 0 end, o.access_level
   from resource_overrides o
   join permissions p on p.id = o.permission_id and p.code = '${MANAGE_APPLICATIONS}'
   join applications a on a.id = p.application_id and a.code = '${PANEL_APPLICATION}'
   where o.email = $1 and o.resource_type = '${APPLICATION_ENTITY}'
     and ${isActive('o', '$2')}
   union all
   select 'manager', null, null, null
   from user_roles ur
   join roles r on r.id = ur.role_id and r.code = '${APPLICATION_MANAGER_ROLE}'
   join applications a on a.id = r.application_id and a.code = '${PANEL_APPLICATION}'
   where ur.email = $1 and ${isActive('ur', '$2')}`
)
