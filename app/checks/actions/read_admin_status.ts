import { evaluate } from '#app/checks/evaluate'
import {
  type Administration,
  type Administrator,
  listAdministrableApplications,
} from '#app/checks/actions/list_administrable_applications'
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
  /** All applications that the caller sees in the panel, sorted by code. */
  applications: ({ appCode: string } & Administration)[]
}

/** See authentication.md#admin-status. An inactive user can administer nothing. */
export async function readAdminStatus(
  email: string,
  administrator: Administrator
): Promise<AdminStatus> {
  const facts = await readAllFacts(checkScope(email, PANEL_APPLICATION))
  if (facts.active === false) {
    const nothing = { appAdminFor: [], panelPermissions: [], roles: [], applications: [] }
    return { email, isSuperAdmin: false, ...nothing }
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
    applications: await listAdministrableApplications(administrator),
  }
}
