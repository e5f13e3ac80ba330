import type { components } from '@concierge/client'
import { type Api, api, ifMatch } from '@/api/client'
import { Problem } from '@/api/problem'
import { type TimeWindow, isSameWindow, windowOf } from '@/api/time_window'
import { AFFECTED } from '@/queries/assignments'
import { useChange } from '@/queries/use_change'

export type UserRole = components['schemas']['UserRole']

const ROLES = '/api/users/{email}/apps/{appCode}/roles'

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
