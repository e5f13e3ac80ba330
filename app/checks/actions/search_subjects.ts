import { databaseMoment } from '#core/database/active_rows'
import { usesPostgres } from '#core/database/dialect'
import { preferReplica } from '#core/database/servers/replica'
import { byBytes } from '#core/values/byte_order'
import { currentTime } from '#core/values/clock'
import { ApplicationNotFound } from '#app/applications/exceptions'
import type { Check } from '#app/checks/actions/check_permissions'
import { judgeEach } from '#app/checks/actions/judge_all'
import { jsonList } from '#app/checks/actions/read_facts'
import { readStoredAttributesOfMany } from '#app/checks/actions/read_stored_attributes'
import { type SubjectsQuestion, readSubjectFacts } from '#app/checks/actions/read_subject_facts'
import {
  type Candidates,
  type FoundPage,
  type SearchPageRequest,
  searchCandidates,
} from '#app/checks/actions/search_candidates'
import {
  type SourceRow,
  grantingRoles,
  subjectCandidates,
} from '#app/checks/queries/subject_candidates'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
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
): Promise<FoundPage<Subject>> {
  const { level, attributes = NO_ATTRIBUTES } = search
  const now = currentTime()
  return preferReplica(followedChanges.required, async () =>
    searchCandidates(await subjectsOf(search, now), {
      circumstances: { given: attributes, now, level },
      page,
      searched: ['subjects', search],
      caller,
    })
  )
}

/** @throws ApplicationNotFound */
async function subjectsOf(
  { scope, permission, level }: SubjectSearch,
  now: number
): Promise<Candidates<Subject>> {
  const question = { ...scope, ...(await readGrants(scope.app, permission)) }
  const needed = rankOf(level ?? 'allowed')
  const roles = question.permission?.roles.filter(({ rank }) => rank >= needed) ?? []
  const sources = { question, roleIds: roles.map(({ id }) => id), now }
  return {
    list: (after, wanted) => listSubjects(sources, after, wanted),
    async judge(subjects) {
      const emails = subjects.map(({ key }) => key)
      const facts = await readSubjectFacts(emails, question, now)
      const questions = emails.map((email) => ({
        scope: { ...scope, email },
        permission,
        facts: facts.get(email)!,
      }))
      return judgeEach(questions, (conditional) =>
        readStoredAttributesOfMany(conditional.map((each) => each.scope))
      )
    },
  }
}

/** @throws ApplicationNotFound */
async function readGrants(app: string, code: string) {
  const rows = await grantingRoles.all([app, code])
  if (rows.length === 0) throw new ApplicationNotFound()
  const [{ application_id: applicationId, permission_id: id, type, global }] = rows
  const roles = rows.flatMap(({ role_id: roleId, rank, condition }) =>
    roleId === null ? [] : [{ id: roleId, rank, condition }]
  )
  const permission = id === null ? null : { id, code, type, global: Boolean(global), roles }
  return { applicationId, permission }
}

interface Sources {
  question: SubjectsQuestion
  /** Those that grant enough. */
  roleIds: number[]
  now: number
}

async function listSubjects({ question, roleIds, now }: Sources, after: string, wanted: number) {
  const { applicationId, permission, resourceType, resourceId } = question
  const limit = limitOfSource(wanted, roleIds.length)
  const isPostgres = usesPostgres()
  const rows = await subjectCandidates[isPostgres ? 'postgres' : 'sqlite'].all([
    after,
    databaseMoment(now),
    limit,
    applicationId,
    permission?.id ?? null,
    resourceType,
    resourceId,
    isPostgres ? roleIds : JSON.stringify(roleIds),
  ])
  return mergeSources(rows, limit, wanted)
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
  const sources = rows.map(({ emails }) => jsonList(emails))
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
