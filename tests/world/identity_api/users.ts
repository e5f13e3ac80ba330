import { type Operation, matches, page, setting, texts } from '#tests/world/identity_api/operation'
import { invalid, notFound, unchanged } from '#tests/world/identity_api/refusal'
import type { State, StoredProfile, StoredUser } from '#tests/world/identity_api/state'

export const MAX_PAGE = 100

/** See zitadel.md#users-api. */
export const users: Record<string, Operation> = {
  changeUser: {
    method: 'PATCH',
    path: /^\/v2\/users\/([^/]+)$/,
    permission: 'user.write',
    writes: true,
    run({ state, ids, body }) {
      const user = requireUser(state, ids[0])
      const profile = { ...user.profile, ...readProfile(body) }
      if (JSON.stringify(profile) === JSON.stringify(user.profile)) {
        throw unchanged('Profile not changed')
      }
      user.profile = profile
      user.changeDate = new Date().toISOString()
      return { changeDate: user.changeDate }
    },
  },
  searchUsers: {
    method: 'POST',
    path: /^\/v2\/users$/,
    permission: 'user.read',
    run({ state, body }) {
      const queries = (body.queries ?? []) as Record<string, unknown>[]
      const all = [...state.users.values()].filter(({ state: is }) => is !== 'DELETED')
      const matching = all
        .filter((user) => queries.every((query) => matchesQuery(user, query)))
        .sort((one, other) => one.creationDate.localeCompare(other.creationDate))
      if (setting(body.query).asc !== true) matching.reverse()
      return page(matching.map(resource), body.query, MAX_PAGE)
    },
  },
  readUser: {
    method: 'GET',
    path: /^\/v2\/users\/([^/]+)$/,
    permission: 'user.read',
    run: ({ state, ids }) => ({ user: resource(requireUser(state, ids[0])) }),
  },
  deactivateUser: stateChange('deactivate', 'INACTIVE', ['ACTIVE', 'INITIAL']),
  reactivateUser: stateChange('reactivate', 'ACTIVE', ['INACTIVE']),
  lockUser: stateChange('lock', 'LOCKED', ['ACTIVE', 'INITIAL']),
  unlockUser: stateChange('unlock', 'ACTIVE', ['LOCKED']),
}

function stateChange(
  verb: string,
  to: StoredUser['state'],
  from: StoredUser['state'][]
): Operation {
  return {
    method: 'POST',
    path: new RegExp(`^/v2/users/([^/]+)/${verb}$`),
    permission: 'user.write',
    writes: true,
    run({ state, ids }) {
      const user = requireUser(state, ids[0])
      if (!from.includes(user.state)) throw unchanged(`User is ${user.state}`)
      user.state = to
      user.changeDate = new Date().toISOString()
      return { details: { changeDate: user.changeDate } }
    },
  }
}

function requireUser(state: State, userId: string) {
  const user = state.users.get(userId)
  if (!user || user.state === 'DELETED') throw notFound('User not found')
  return user
}

function matchesQuery(user: StoredUser, query: Record<string, unknown>): boolean {
  const [[kind, value]] = Object.entries(query)
  const filter = setting(value)
  const nested = () => (filter.queries ?? []) as Record<string, unknown>[]
  switch (kind) {
    case 'organizationIdQuery':
      return user.orgId === filter.organizationId
    case 'typeQuery':
      return `TYPE_${user.kind.toUpperCase()}` === filter.type
    case 'emailQuery':
      return matches(user.email, filter.emailAddress, filter.method)
    case 'loginNameQuery':
      return matches(user.username, filter.loginName, filter.method)
    case 'stateQuery':
      return `USER_STATE_${user.state}` === filter.state
    case 'inUserIdsQuery':
      return texts(filter.userIds).includes(user.userId)
    case 'inUserEmailsQuery':
      return texts(filter.userEmails).includes(user.email)
    case 'andQuery':
      return nested().every((part) => matchesQuery(user, part))
    case 'orQuery':
      return nested().some((part) => matchesQuery(user, part))
    case 'notQuery':
      return !matchesQuery(user, setting(filter.query))
    default:
      throw invalid(`unknown query ${kind}`)
  }
}

function resource(user: StoredUser) {
  const { userId, orgId, username, email, isVerified, profile, creationDate, changeDate } = user
  const common = {
    userId,
    details: { resourceOwner: orgId, changeDate, creationDate },
    state: `USER_STATE_${user.state}`,
    username,
    loginNames: [username],
    preferredLoginName: username,
  }
  if (user.kind === 'machine') return { ...common, machine: { name: username } }
  // The provider leaves out default values.
  const verified = isVerified && { isVerified }
  return { ...common, human: { profile, email: { email, ...verified }, phone: {} } }
}

function readProfile(body: Record<string, unknown>): StoredProfile {
  const profile = setting(setting(body.human).profile)
  const names = Object.entries(profile)
  const areNames = names.every(
    ([name, value]) =>
      ['givenName', 'familyName', 'displayName'].includes(name) &&
      typeof value === 'string' &&
      value.length >= 1 &&
      value.length <= 200
  )
  if (names.length === 0 || !areNames || profile.displayName === undefined) {
    throw invalid('invalid profile')
  }
  return profile
}
