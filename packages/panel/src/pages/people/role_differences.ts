import { api } from '@/api/client'
import { Problem } from '@/api/problem'
import { type RoleGrant, type UserRole, grantOf, readRoles } from '@/queries/person_roles'

/** How the roles of someone differ from those of another person, in one application. */
export interface RoleDifference {
  appCode: string
  /** What the other person has, and this one has not. */
  added: UserRole[]
  /** What this person has, and the other one has not. */
  removed: UserRole[]
  /** What this person has. */
  held: RoleGrant[]
  /** Of the roles of this person. */
  etag: string | null
}

/** @param appCodes the applications in which roles may be given */
export async function readDifferences(
  email: string,
  other: string,
  appCodes: string[],
  signal: AbortSignal
): Promise<RoleDifference[]> {
  const involved = await rolesAnywhere([email, other], appCodes, signal)
  const differences = []
  for (const appCode of involved) {
    const [own, theirs] = await Promise.all([
      readRoles({ email, appCode }, signal),
      readRoles({ email: other, appCode }, signal),
    ])
    const difference = {
      appCode,
      added: without(theirs.roles, own.roles),
      removed: without(own.roles, theirs.roles),
      held: own.roles.map(grantOf),
      etag: own.etag,
    }
    if (difference.added.length + difference.removed.length > 0) differences.push(difference)
  }
  return differences
}

const without = (roles: UserRole[], others: UserRole[]) =>
  roles.filter(({ roleId }) => others.every((other) => other.roleId !== roleId))

/** The applications in which someone of them has roles. */
async function rolesAnywhere(emails: string[], appCodes: string[], signal: AbortSignal) {
  try {
    const found = await Promise.all(emails.map((email) => applicationsWithRoles(email, signal)))
    return [...new Set(found.flat())].filter((code) => appCodes.includes(code))
  } catch (error) {
    // Those who may not read users see few applications, so each of them is asked about.
    if (error instanceof Problem && error.status === 403) return appCodes
    throw error
  }
}

async function applicationsWithRoles(email: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { data } = await api.GET('/api/users/{email}', { params: { path: { email } }, signal })
    return data!.data.roles.map(({ appCode }) => appCode)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return []
    throw error
  }
}
