import { isMoment } from '#core/validation/fields'
import { isCleanText } from '#core/values/clean_text'
import {
  type Answer,
  memberOf,
  requiredText,
  resultOf,
  textOf,
  totalOf,
} from '#app/identity_provider/admin_api/answer'
import { askProvider, unusableList } from '#app/identity_provider/admin_api/ask_provider'
import { Missing, unlessThrown } from '#app/identity_provider/admin_api/unless_thrown'
import { providerPath } from '#app/identity_provider/admin_api/zitadel_api'
import type { ListedUser } from '#app/identity_provider/values/listed_user'
import { toldAddress } from '#app/identity_provider/values/told_address'

/** The most users that one question is about. */
export const PAGE_SIZE = 100

/** How many may come, at least, while a list is read. */
const NEWCOMERS = 1_000

const SEARCH = { method: 'POST', path: '/v2/users', permission: 'user.read' } as const
const HUMAN = { typeQuery: { type: 'TYPE_HUMAN' } }
const ofOrganisation = (organizationId: string) => ({ organizationIdQuery: { organizationId } })
/** Who has not set a password yet may be given rights already, as by the event of their creation. */
const STATES: Record<string, boolean> = {
  USER_STATE_ACTIVE: true,
  USER_STATE_INITIAL: true,
  USER_STATE_INACTIVE: false,
  USER_STATE_LOCKED: false,
  USER_STATE_DELETED: false,
}

/**
 * All people, or those of an organisation, page by page: the oldest first, so that those who come meanwhile come last.
 *
 * @throws UpstreamUnreachable for a list that does not come to its end, and what else `askProvider` throws
 */
export async function* listUsers(orgId?: string): AsyncGenerator<ListedUser[]> {
  const queries = orgId === undefined ? [HUMAN] : [HUMAN, ofOrganisation(orgId)]
  let [read, most] = [0, Number.POSITIVE_INFINITY]
  let before = new Set<string>()
  for (;;) {
    const { users: found, total } = await search(queries, read)
    if (found.length === 0) return
    const users = found.map(listedUser)
    if (users.every(({ userId }) => before.has(userId))) throw unusableList('no_progress')
    if (read === 0) most = total + Math.max(NEWCOMERS, total / 10)
    read += users.length
    if (read > most) throw unusableList('more_than_total')
    yield users
    before = new Set(users.map(({ userId }) => userId))
  }
}

/** Those of these ids that there are. */
export async function findUsers(userIds: string[]): Promise<ListedUser[]> {
  const { users } = await search([{ inUserIdsQuery: { userIds } }])
  return users.map(listedUser).filter(({ userId }) => userIds.includes(userId))
}

/** How many users have this address, two standing for more. */
export async function countUsersWith(email: string): Promise<number> {
  const method = 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE'
  const { users } = await search([{ emailQuery: { emailAddress: email, method } }], 0, 2)
  return users.length
}

/** Whether there is anybody of the organisation whom the service account may see. */
export async function seesAnybodyOf(orgId: string): Promise<boolean> {
  const { users } = await search([HUMAN, ofOrganisation(orgId)], 0, 1)
  return users.some((user) => listedUser(user).orgId === orgId)
}

/** Whether the provider says of this user that there is none; lists leave out those one may not see. */
export async function isGone(userId: string): Promise<boolean> {
  const path = providerPath`/v2/users/${userId}`
  const missing = () => new Missing()
  const question = { method: 'GET', path, permission: 'user.read', missing } as const
  const isThere = await unlessThrown(Missing, async () => {
    await askProvider(question)
    return true
  })
  return isThere === null
}

async function search(queries: object[], offset = 0, limit = PAGE_SIZE) {
  const query = { offset: String(offset), limit, asc: true }
  const body = { query, sortingColumn: 'USER_FIELD_NAME_CREATION_DATE', queries }
  const answer = await askProvider({ ...SEARCH, body })
  const users = resultOf(answer)
  if (users.length > limit) throw unusableList('page_too_large')
  return { users, total: totalOf(answer) }
}

function listedUser(user: Answer): ListedUser {
  const [details, human] = [memberOf(user, 'details'), memberOf(user, 'human')]
  const [profile, email] = [memberOf(human, 'profile'), memberOf(human, 'email')]
  const changedAt = textOf(details, 'changeDate')
  return {
    userId: requiredText(user, 'userId'),
    orgId: textOf(details, 'resourceOwner'),
    active: STATES[textOf(user, 'state') ?? ''] ?? null,
    email: toldAddress(textOf(email, 'email') ?? ''),
    isVerified: email.isVerified === true,
    names: {
      firstName: nameOf(profile, 'givenName'),
      lastName: nameOf(profile, 'familyName'),
      displayName: nameOf(profile, 'displayName'),
    },
    changedAt: changedAt !== null && isMoment(changedAt) ? changedAt : null,
  }
}

/** One that could not be stored is none. */
function nameOf(profile: Answer, name: string) {
  const value = textOf(profile, name)?.trim()
  return value && value.length <= 200 && isCleanText(value) ? value : undefined
}
