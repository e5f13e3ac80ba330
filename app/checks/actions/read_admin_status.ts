import { evaluate } from '#app/checks/evaluate'
import { readAllFacts } from '#app/checks/actions/read_facts'
import { readAssignments } from '#app/checks/queries/read_assignments'
import { checkScope } from '#app/checks/values/check_scope'
import { PANEL_APPLICATION } from '#app/applications/values/panel'

export interface AdminStatus {
  email: string
  isSuperAdmin: boolean
  appAdminFor: string[]
  panelPermissions: string[]
  roles: { appCode: string; roleCodes: string[] }[]
}

/** See authentication.md#admin-status. An inactive user can administer nothing. */
export async function readAdminStatus(email: string): Promise<AdminStatus> {
  const facts = await readAllFacts(checkScope(email, PANEL_APPLICATION))
  if (facts.active === false) {
    return { email, isSuperAdmin: false, appAdminFor: [], panelPermissions: [], roles: [] }
  }
  const { administratorOf, roles } = await readAssignments(email)
  return {
    email,
    isSuperAdmin: facts.superAdmin,
    appAdminFor: administratorOf,
    panelPermissions: [...facts.permissions.keys()]
      .filter((code) => evaluate(facts, code).level !== null)
      .sort(),
    roles: [...roles].map(([appCode, roleCodes]) => ({ appCode, roleCodes })),
  }
}
