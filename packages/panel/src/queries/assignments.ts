import type { components, paths } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { Problem } from '@/api/problem'
import { type TimeWindow, limitsOf } from '@/api/time_window'
import '@/queries/people_commands'

export type ImportResult = components['schemas']['ImportResult']

const LIST = '/api/applications/{appCode}/assignments'
const IMPORT = '/api/applications/{appCode}/assignments/import'

export type Assignment =
  paths[typeof LIST]['get']['responses'][200]['content']['application/json']['data'][number]

export type RoleAssignment = Extract<Assignment, { kind: 'role' }>

/** What a change of someone's assignments affects. */
export const AFFECTED = [['users'], ['assignments'], ['access']]

const KINDS = ['role', 'override', 'administrator'] as const

export interface AssignmentFilter {
  search: string
  kind: string
  roleId: string
  /** In how many days at most it ends. */
  endsWithinDays: number | null
}

/** Who has what in an application, a page at a time. */
export const useAssignments = (
  appCode: MaybeRefOrGetter<string>,
  filter: MaybeRefOrGetter<AssignmentFilter>
) =>
  usePagedQuery(
    computed(() => ['assignments', toValue(appCode), 'list', toValue(filter)]),
    (page, signal) => {
      const { search, kind, roleId, endsWithinDays } = toValue(filter)
      const chosen = KINDS.find((one) => one === kind)
      const query = {
        ...page,
        ...(search && { search }),
        ...(chosen && { kind: chosen }),
        ...(roleId && { roleId: Number(roleId) }),
        ...(endsWithinDays && { endsWithinDays }),
      }
      return api.GET(LIST, { params: { path: { appCode: toValue(appCode) }, query }, signal })
    }
  )

/** A page with most of what one person holds in an application, in the order of kinds. */
export const useHeld = (appCode: MaybeRefOrGetter<string>, email: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => ['assignments', toValue(appCode), 'of', toValue(email)]),
    queryFn: async ({ signal }) => {
      const path = { appCode: toValue(appCode) }
      const query = { email: toValue(email), limit: 200 }
      return (await api.GET(LIST, { params: { path, query }, signal })).data!.data
    },
  })

/** A role of an application that someone gets. */
export interface Wanted {
  appCode: string
  role: string
}

function byApplication(wanted: Wanted[]): Map<string, Wanted[]> {
  const groups = new Map<string, Wanted[]>()
  for (const one of wanted) groups.set(one.appCode, [...(groups.get(one.appCode) ?? []), one])
  return groups
}

/**
 * Gives a person roles, and takes none away. The requests of all applications are tried before the
 * first counts, so that a mistake in one changes nothing in the others.
 */
export async function assignRoles(target: Api, addition: Addition) {
  if (target === api) await sendRoles(target, addition, true)
  return sendRoles(target, addition, false)
}

interface Addition extends TimeWindow {
  email: string
  grants: Wanted[]
}

/** @returns how many the person had already, whose time windows stay as they were */
async function sendRoles(target: Api, { email, grants, ...window }: Addition, isTrial: boolean) {
  let unchanged = 0
  for (const [appCode, roles] of byApplication(grants)) {
    const query = isTrial ? { dryRun: 'true' as const } : {}
    const rows = roles.map(({ role }) => ({ email, role, ...limitsOf(window) }))
    const { data } = await target.POST(IMPORT, {
      params: { path: { appCode }, query },
      body: { rows },
    })
    const refused = data?.data?.errors[0]
    if (refused) throw refusalOf(refused, roles[refused.row - 1]!)
    unchanged += data?.data?.unchanged ?? 0
  }
  return unchanged
}

/** As a problem of a form with the fields `email` and `grants`. */
function refusalOf({ field, rule, message }: ImportResult['errors'][number], wanted: Wanted) {
  const text = message.replace(/^Row \d+: /, '')
  const own = ['email', 'validFrom', 'validUntil'].find((one) => field.endsWith(`.${one}`))
  const error = own
    ? { field: own, rule, message: text }
    : { field: 'grants', rule, message: `${wanted.role || '?'}: ${text}` }
  const body = { detail: text, code: 'VALIDATION_ERROR', details: { errors: [error] } }
  return new Problem(body, new Response(null, { status: 400 }))
}

/** Rows of a CSV file. A trial changes nothing and names what is wrong. */
export async function importCsv(
  target: Api,
  { appCode, text, isTrial }: { appCode: string; text: string; isTrial: boolean }
): Promise<ImportResult> {
  const { data } = await target.POST(IMPORT, {
    params: { path: { appCode }, query: isTrial ? { dryRun: 'true' } : {} },
    headers: { 'content-type': 'text/csv' },
    body: text as never,
    bodySerializer: String,
  })
  return data?.data as ImportResult
}
