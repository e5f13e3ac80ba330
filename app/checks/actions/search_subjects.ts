import { databaseMoment } from '#core/database/active_rows'
import { usesPostgres } from '#core/database/dialect'
import { byBytes } from '#core/values/byte_order'
import { currentTime } from '#core/values/clock'
import { ApplicationNotFound } from '#app/applications/exceptions'
import type { Check } from '#app/checks/actions/check_permissions'
import { judgeEach } from '#app/checks/actions/judge_all'
import { readFactsOfMany } from '#app/checks/actions/read_facts'
import { readStoredAttributesOfMany } from '#app/checks/actions/read_stored_attributes'
import {
  type Candidates,
  type SearchPageRequest,
  searchCandidates,
} from '#app/checks/actions/search_candidates'
import {
  type SourceRow,
  grantingRoles,
  subjectCandidates,
} from '#app/checks/queries/subject_candidates'
import { NO_ATTRIBUTES } from '#app/checks/values/attributes'
import type { CheckScope } from '#app/checks/values/check_scope'
import { rankOf } from '#app/permissions/values/access_level'

/** Who a check is allowed to. */
export interface SubjectSearch extends Omit<Check, 'scope'> {
  scope: Omit<CheckScope, 'email'>
}

interface Subject {
  /** The canonical address. */
  key: string
}

/**
 * Finds the users to whom a check is allowed, by address in byte order (checks.md#search).
 *
 * @param caller whose budget `count` uses
 * @throws ApplicationNotFound; ValidationError for a cursor of another search; Overloaded
 */
export async function searchSubjects(
  search: SubjectSearch,
  page: SearchPageRequest,
  caller: string
) {
  const { level, attributes = NO_ATTRIBUTES } = search
  const now = currentTime()
  const candidates = await subjectsOf(search, now)
  return searchCandidates(candidates, {
    circumstances: { given: attributes, now, level },
    page,
    searched: ['subjects', search],
    caller,
  })
}

/** @throws ApplicationNotFound */
async function subjectsOf(
  { scope, permission, level }: SubjectSearch,
  now: number
): Promise<Candidates<Subject>> {
  const { app, resourceType, resourceId } = scope
  const roles = await grantingRoles.all([app, permission, rankOf(level ?? 'allowed')])
  if (roles.length === 0) throw new ApplicationNotFound()
  const [{ application_id: applicationId, permission_id: permissionId }] = roles
  const roleIds = roles.flatMap(({ role_id: id }) => id ?? [])
  return {
    async list(after, wanted) {
      const limit = limitOfSource(wanted, roleIds.length)
      const parameters = [after, databaseMoment(now), limit, applicationId, permissionId]
      const list = usesPostgres() ? roleIds : JSON.stringify(roleIds)
      const query = subjectCandidates[usesPostgres() ? 'postgres' : 'sqlite']
      const rows = await query.all([...parameters, resourceType, resourceId, list])
      return mergeSources(rows, limit, wanted)
    },
    async judge(subjects) {
      const scopes = subjects.map(({ key: email }) => ({ ...scope, email }))
      const facts = await readFactsOfMany(scopes, permission, now)
      const questions = scopes.map((each) => ({
        scope: each,
        permission,
        facts: facts.get(each.email)!,
      }))
      return judgeEach(questions, (conditional) =>
        readStoredAttributesOfMany(conditional.map((question) => question.scope))
      )
    },
  }
}

const MIN_OF_SOURCE = 20

/** Many sources are read in small steps, because all of them together fill a page. */
function limitOfSource(wanted: number, roles: number): number {
  const share = Math.ceil((4 * wanted) / (roles + 3))
  return Math.min(wanted, Math.max(share, MIN_OF_SOURCE)) + 1
}

/**
 * Merges the first addresses of each source. A source that has more says nothing about addresses
 * after its last one, so these are left for the next time.
 */
function mergeSources(rows: SourceRow[], limit: number, wanted: number) {
  const sources = rows.map(({ emails }): string[] =>
    typeof emails === 'string' ? JSON.parse(emails) : (emails ?? [])
  )
  const ends = sources.filter(({ length }) => length === limit).map((source) => source.at(-1)!)
  const end = ends.sort(byBytes).at(0)
  const emails = [...new Set(sources.flat())]
    .filter((email) => end === undefined || byBytes(email, end) <= 0)
    .sort(byBytes)
  return {
    items: emails.slice(0, wanted).map((key) => ({ key })),
    isLast: end === undefined && emails.length <= wanted,
  }
}
