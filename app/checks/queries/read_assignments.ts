import { PreparedQuery } from '#core/database/prepared_query'
import { databaseMoment, isActive } from '#core/database/active_rows'

interface AssignmentRow {
  kind: 'admin' | 'role'
  app_code: string
  role_code: string | null
}

const assignments = new PreparedQuery<AssignmentRow>(
  'user_assignments',
  `select 'admin' as kind, a.code as app_code, null as role_code
   from application_admins m join applications a on a.id = m.application_id
   where m.email = $1 and ${isActive('m', '$2')}
   union all
   select 'role', a.code, r.code
   from user_roles ur
   join roles r on r.id = ur.role_id
   join applications a on a.id = r.application_id
   where ur.email = $1 and ${isActive('ur', '$2')}
   order by app_code, role_code`
)

export interface Assignments {
  /** Application codes. */
  administratorOf: string[]
  /** Role codes by application code, both sorted. */
  roles: Map<string, string[]>
}

/** Reads the assignments of a user in all applications, whether or not the user is active. */
export async function readAssignments(email: string): Promise<Assignments> {
  const rows = await assignments.all([email, databaseMoment()])
  const result: Assignments = { administratorOf: [], roles: new Map() }
  for (const { kind, app_code: appCode, role_code: roleCode } of rows) {
    if (kind === 'admin') result.administratorOf.push(appCode)
    else result.roles.set(appCode, [...(result.roles.get(appCode) ?? []), roleCode!])
  }
  return result
}
