import { PreparedQuery } from '#core/database/prepared_query'
import { readFacts } from '#app/checks/actions/read_facts'
import { checkScope } from '#app/checks/values/check_scope'
import type { AccessLevel } from '#app/permissions/values/access_level'
import {
  APPLICATION_ENTITY,
  APPLICATION_MANAGER_ROLE,
  MANAGE_APPLICATIONS,
  PANEL_APPLICATION,
} from '#app/applications/values/panel'
import { PanelAccess } from '#app/auth/panel/panel_access'

interface PanelAccessRow {
  kind: 'admin' | 'override' | 'manager'
  app_code: string | null
  granted: boolean | number | null
  access_level: AccessLevel | null
}

const panelAccessQuery = new PreparedQuery<PanelAccessRow>(
  'panel_standing',
  `select 'admin' as kind, a.code as app_code, null as granted, null as access_level
   from application_admins m join applications a on a.id = m.application_id
   where m.email = $1
   union all
   select 'override', o.resource_id, case when o.granted then 1 else 0 end, o.access_level
   from resource_overrides o
   join permissions p on p.id = o.permission_id and p.code = '${MANAGE_APPLICATIONS}' and not p.global
   join applications a on a.id = p.application_id and a.code = '${PANEL_APPLICATION}'
   where o.email = $1 and o.resource_type = '${APPLICATION_ENTITY}'
   union all
   select 'manager', null, null, null
   from user_roles ur
   join roles r on r.id = ur.role_id and r.code = '${APPLICATION_MANAGER_ROLE}'
   join applications a on a.id = r.application_id and a.code = '${PANEL_APPLICATION}'
   where ur.email = $1`
)

export async function readPanelAccess(email: string): Promise<PanelAccess> {
  const scope = checkScope(email, PANEL_APPLICATION)
  const [panel, rows] = await Promise.all([
    readFacts(scope, [MANAGE_APPLICATIONS]),
    panelAccessQuery.all([email]),
  ])
  return new PanelAccess({
    panel,
    administratorOf: new Set(codesOf(rows, 'admin')),
    overrides: new Map(
      rows
        .filter(({ kind }) => kind === 'override')
        .map((row) => [row.app_code!, { granted: Boolean(row.granted), level: row.access_level }])
    ),
    hasManagerRole: rows.some(({ kind }) => kind === 'manager'),
  })
}

function codesOf(rows: PanelAccessRow[], kind: PanelAccessRow['kind']) {
  return rows.filter((row) => row.kind === kind).map((row) => row.app_code!)
}
