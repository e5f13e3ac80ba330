import { isTimestamp } from '#core/validation/fields'
import { statedName } from '#app/profiles/values/names'
import {
  type JsonObject,
  readObject,
  requireText,
  readResults,
  readText,
  readTotal,
} from '#app/identity_provider/zitadel/provider_json'
import {
  callProvider,
  unusableResponse,
  unusableList,
} from '#app/identity_provider/zitadel/call_provider'
import { Missing, nullOnError } from '#app/identity_provider/zitadel/null_on_error'
import { readPages } from '#app/identity_provider/zitadel/read_pages'
import { providerPath } from '#app/identity_provider/zitadel/zitadel_api'
import type { ListedUser } from '#app/identity_provider/zitadel/listed_user'
import { parseProviderAddress } from '#app/identity_provider/user_lifecycle/provider_address'

export const PAGE_SIZE = 100

const SEARCH = { method: 'POST', path: '/v2/users', permission: 'user.read' } as const
const HUMAN = { typeQuery: { type: 'TYPE_HUMAN' } }
const ofOrganisation = (organizationId: string) => ({ organizationIdQuery: { organizationId } })
/** A user without a password can already have roles, so `INITIAL` is active. */
const STATES: Record<string, boolean> = {
  USER_STATE_ACTIVE: true,
  USER_STATE_INITIAL: true,
  USER_STATE_INACTIVE: false,
  USER_STATE_LOCKED: false,
  USER_STATE_DELETED: false,
}

/**
 * Oldest first, so that users added in the meantime come last.
 * @throws UpstreamUnreachable for a list that would not end, and as `callProvider` does
 */
export async function* listUsers(orgId?: string): AsyncGenerator<ListedUser[]> {
  const queries = orgId === undefined ? [HUMAN] : [HUMAN, ofOrganisation(orgId)]
  const search = async (offset: number) => {
    const { users, total } = await searchUsers(queries, offset)
    return { items: users.map(parseListedUser), total }
  }
  yield* readPages(search, ({ userId }) => userId)
}

/** Leaves out users that do not exist or are not visible. */
export async function findUsers(userIds: string[]): Promise<ListedUser[]> {
  const { users } = await searchUsers([{ inUserIdsQuery: { userIds } }])
  return users.map(parseListedUser).filter(({ userId }) => userIds.includes(userId))
}

export async function countUsersWithEmail(email: string): Promise<number> {
  const method = 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE'
  const { users } = await searchUsers([{ emailQuery: { emailAddress: email, method } }], 0, 2)
  return users.length
}

export async function canSeeUsersOf(orgId: string): Promise<boolean> {
  const { users } = await searchUsers([HUMAN, ofOrganisation(orgId)], 0, 1)
  return users.some((user) => parseListedUser(user).orgId === orgId)
}

/** False only if the provider says so; its lists also leave out users that are not visible. */
export async function userExists(userId: string): Promise<boolean> {
  const found = await nullOnError(Missing, async () => {
    await callProvider(singleUser(userId))
    return true
  })
  return found !== null
}

/** The user without the lag of lists; null if the provider says that they are missing. */
export async function readUser(userId: string): Promise<ListedUser | null> {
  return nullOnError(Missing, async () => {
    const user = parseListedUser(readObject(await callProvider(singleUser(userId)), 'user'))
    if (user.userId !== userId) throw unusableResponse()
    return user
  })
}

const singleUser = (userId: string) => ({
  method: 'GET' as const,
  path: providerPath`/v2/users/${userId}`,
  permission: 'user.read',
  missing: () => new Missing(),
})

async function searchUsers(queries: object[], offset = 0, limit = PAGE_SIZE) {
  const query = { offset: String(offset), limit, asc: true }
  const body = { query, sortingColumn: 'USER_FIELD_NAME_CREATION_DATE', queries }
  const response = await callProvider({ ...SEARCH, body })
  const users = readResults(response)
  if (users.length > limit) throw unusableList('page_too_large')
  return { users, total: readTotal(response) }
}

function parseListedUser(user: JsonObject): ListedUser {
  const [details, human] = [readObject(user, 'details'), readObject(user, 'human')]
  const [profile, email] = [readObject(human, 'profile'), readObject(human, 'email')]
  const changedAt = readText(details, 'changeDate')
  return {
    userId: requireText(user, 'userId'),
    orgId: readText(details, 'resourceOwner'),
    active: STATES[readText(user, 'state') ?? ''] ?? null,
    email: parseProviderAddress(readText(email, 'email') ?? ''),
    isVerified: email.isVerified === true,
    names: {
      firstName: statedName(profile.givenName),
      lastName: statedName(profile.familyName),
      displayName: statedName(profile.displayName),
    },
    changedAt: changedAt !== null && isTimestamp(changedAt) ? changedAt : null,
  }
}
