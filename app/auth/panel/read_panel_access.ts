import { databaseMoment } from '#core/database/active_rows'
import { readFacts } from '#app/checks/actions/read_facts'
import { checkScope } from '#app/checks/values/check_scope'
import { MANAGE_APPLICATIONS, PANEL_APPLICATION } from '#app/applications/values/panel'
import { PanelAccess } from '#app/auth/panel/panel_access'
import { type PanelAccessRow, panelAccessRows } from '#app/auth/queries/panel_access_rows'

export async function readPanelAccess(email: string): Promise<PanelAccess> {
  const scope = checkScope(email, PANEL_APPLICATION)
  const [panel, rows] = await Promise.all([
    readFacts(scope, [MANAGE_APPLICATIONS]),
    panelAccessRows.all([email, databaseMoment()]),
  ])
  return new PanelAccess({
    panel,
    administratorOf: new Set(codesOf(rows, 'admin')),
    overrides: new Map(
      rows
        .filter(({ kind }) => kind === 'override')
        .map(({ app_code: appCode, granted, access_level: level }) => {
          return [appCode!, { granted: Boolean(granted), level, condition: null }]
        })
    ),
    hasManagerRole: rows.some(({ kind }) => kind === 'manager'),
  })
}

function codesOf(rows: PanelAccessRow[], kind: PanelAccessRow['kind']) {
  return rows.filter((row) => row.kind === kind).map((row) => row.app_code!)
}
