import type { components, paths } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { Problem } from '@/api/problem'
import { type TimeWindow, isSameWindow, limitsOf, windowOf } from '@/api/time_window'
import { useChange } from '@/queries/use_change'
import '@/queries/people_commands'

export type ImportResult = components['schemas']['ImportResult']
export type UserRole = components['schemas']['UserRole']

const LIST = '/api/applications/{appCode}/assignments'
const IMPORT = '/api/applications/{appCode}/assignments/import'
const ROLES = '/api/users/{email}/apps/{appCode}/roles'

export type Assignment =
  paths[typeof LIST]['get']['responses'][200]['content']['application/json']['data'][number]

export type RoleAssignment = Extract<Assignment, { kind: 'role' }>

/** What a change of somebody's assignments affects. */
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

/** A role of an application that somebody gets. */
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

/** The roles of a person in an application, with the tag for `replaceRoles`. */
export async function readRoles(path: { email: string; appCode: string }, signal?: AbortSignal) {
  const { data, response } = await api.GET(ROLES, { params: { path }, signal })
  return { roles: data!.data, etag: response.headers.get('etag') }
}

/** A role with its time window. */
export interface RoleGrant {
  roleId: number
  validFrom?: string | null
  validUntil?: string | null
}

export const grantOf = ({ roleId, validFrom, validUntil }: RoleGrant): RoleGrant => {
  return { roleId, validFrom, validUntil }
}

export interface Replacement {
  email: string
  appCode: string
  roles: RoleGrant[]
  etag: string | null
}

/** Gives a person exactly these roles in an application. */
export async function replaceRoles(target: Api, change: Replacement) {
  const { email, appCode, roles, etag } = change
  const params = { path: { email, appCode }, ...ifMatch(etag) }
  return target.PUT(ROLES, { params, body: { roles } })
}

interface HeldRole {
  email: string
  appCode: string
  roleId: number
}

/**
 * Gives a role that a person has another time window.
 * @param known the window that it had
 * @throws Problem 412 if it has another one by now, 404 if the person no longer has the role
 */
export async function changeRoleWindow(
  target: Api,
  { email, appCode, roleId }: HeldRole,
  known: TimeWindow,
  wanted: TimeWindow
) {
  const { roles, etag } = await readRoles({ email, appCode })
  const held = roles.find((one) => one.roleId === roleId)
  if (!held) throw new Problem({ code: 'ROLE_NOT_HELD' }, new Response(null, { status: 404 }))
  if (!isSameWindow(windowOf(held), known)) {
    throw new Problem({ details: { current: roles } }, new Response(null, { status: 412 }))
  }
  const changed = roles.map((one) => grantOf(one.roleId === roleId ? { roleId, ...wanted } : one))
  return replaceRoles(target, { email, appCode, roles: changed, etag })
}

/** Takes one role from a person. */
export const useRemoveRole = (appCode: () => string, done: (email: string) => string) =>
  useChange(
    async (target, { email, roleId }: { email: string; roleId: number }) => {
      const { roles, etag } = await readRoles({ email, appCode: appCode() })
      const kept = roles.filter((held) => held.roleId !== roleId).map(grantOf)
      return replaceRoles(target, { email, appCode: appCode(), roles: kept, etag })
    },
    { refresh: AFFECTED, done: (_, { email }) => done(email) }
  )

/** All roles of an application. */
export const useAllRoles = (appCode: MaybeRefOrGetter<string>) =>
  useQuery({
    queryKey: computed(() => ['roles', toValue(appCode), 'all']),
    enabled: computed(() => toValue(appCode) !== ''),
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { path: { appCode: toValue(appCode) } }
      const { data } = await api.GET('/api/applications/{appCode}/roles', { params, signal })
      return data!.data
    },
  })
