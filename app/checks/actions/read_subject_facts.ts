import { databaseMoment } from '#core/database/active_rows'
import { usesPostgres } from '#core/database/dialect'
import { jsonList, toFacts } from '#app/checks/actions/read_facts'
import { factsOfSubjects } from '#app/checks/queries/facts_of_subjects'
import type { FactsRow } from '#app/checks/queries/facts_queries'
import type { AccessFacts, PermissionFacts } from '#app/checks/values/access_facts'

/** A permission and the roles that grant it. */
export interface GrantedPermission extends Pick<PermissionFacts, 'code' | 'type' | 'global'> {
  id: number
  roles: GrantingRole[]
}

export interface GrantingRole {
  id: number
  /** See `rankOf`. */
  rank: number
  condition: string | null
}

export interface SubjectsQuestion {
  applicationId: number
  /** Null for one that the application does not define. */
  permission: GrantedPermission | null
  resourceType: string
  resourceId: string
}

/**
 * Reads the facts of one permission for many users in one query, without the next boundaries of
 * their time windows.
 *
 * @param now for time windows, in milliseconds
 * @returns by address
 */
export async function readSubjectFacts(
  emails: string[],
  { applicationId, permission, resourceType, resourceId }: SubjectsQuestion,
  now: number
): Promise<Map<string, AccessFacts>> {
  const roles = new Map(permission?.roles.map((role) => [role.id, role]))
  const list = (values: unknown[]) => (usesPostgres() ? values : JSON.stringify(values))
  const rows = await factsOfSubjects[usesPostgres() ? 'postgres' : 'sqlite'].all([
    list(emails),
    applicationId,
    permission?.id ?? null,
    resourceType,
    resourceId,
    databaseMoment(now),
    list([...roles.keys()]),
  ])
  return new Map(
    rows.map((row) => {
      const held = jsonList<number>(row.role_ids).map((id) => roles.get(id)!)
      return [row.email, toFacts([{ ...row, ...grantsOf(held), ...definition(permission) }], now)]
    })
  )
}

/** As one query reads them for one user. */
function grantsOf(held: GrantingRole[]): Pick<FactsRow, 'role_rank' | 'conditional_grants'> {
  const ranks = held.flatMap(({ rank, condition }) => (condition === null ? rank : []))
  return {
    role_rank: ranks.length > 0 ? Math.max(...ranks) : null,
    conditional_grants: held.flatMap(({ rank, condition }): [number, string][] =>
      condition === null ? [] : [[rank, condition]]
    ),
  }
}

function definition(permission: GrantedPermission | null) {
  const { code = null, type = 'binary', global = false } = permission ?? {}
  return { code, type, global, group_name: null, boundary: null }
}
