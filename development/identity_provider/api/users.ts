import { isDeepStrictEqual } from 'node:util'
import { type Operation, type PageQuery, matches, operation, page } from './operation.ts'
import { passwordMail } from './password_mail.ts'
import { invalid, notFound, unchanged } from './refusal.ts'
import { METHOD, NAME, NOTHING, PAGE, list, object, oneOf } from './schema.ts'
import type { State, StoredProfile, StoredUser } from './state.ts'

type UserQuery =
  | { organizationIdQuery: { organizationId: string } }
  | { typeQuery: { type: string } }
  | { emailQuery: { emailAddress: string; method?: string } }
  | { loginNameQuery: { loginName: string; method?: string } }
  | { stateQuery: { state: string } }
  | { inUserIdsQuery: { userIds: string[] } }
  | { inUserEmailsQuery: { userEmails: string[] } }
  | { andQuery: { queries: UserQuery[] } }
  | { orQuery: { queries: UserQuery[] } }
  | { notQuery: { query: UserQuery } }

const STATES = ['ACTIVE', 'INACTIVE', 'DELETED', 'LOCKED', 'INITIAL']
const nested = { $ref: '#/$defs/query' }
const NESTED_QUERIES = object({ queries: list(nested, 100) }, ['queries'])

const QUERY = {
  ...object({
    organizationIdQuery: object({ organizationId: NAME }, ['organizationId']),
    typeQuery: object({ type: oneOf('TYPE_HUMAN', 'TYPE_MACHINE') }, ['type']),
    emailQuery: object({ emailAddress: NAME, method: METHOD }, ['emailAddress']),
    loginNameQuery: object({ loginName: NAME, method: METHOD }, ['loginName']),
    stateQuery: object({ state: oneOf(...STATES.map((state) => `USER_STATE_${state}`)) }, [
      'state',
    ]),
    inUserIdsQuery: object({ userIds: list(NAME, 100) }, ['userIds']),
    inUserEmailsQuery: object({ userEmails: list(NAME, 100) }, ['userEmails']),
    andQuery: NESTED_QUERIES,
    orQuery: NESTED_QUERIES,
    notQuery: object({ query: nested }, ['query']),
  }),
  minProperties: 1,
  maxProperties: 1,
}

const SEARCH = {
  ...object({
    query: PAGE,
    sortingColumn: oneOf('USER_FIELD_NAME_CREATION_DATE'),
    queries: list(nested, 100),
  }),
  $defs: { query: QUERY },
}

const CLEARABLE_NAME = { ...NAME, minLength: 0 }
const PROFILE = object(
  { givenName: CLEARABLE_NAME, familyName: CLEARABLE_NAME, displayName: NAME },
  ['displayName']
)
const CHANGES = object({ human: object({ profile: PROFILE }, ['profile']) }, ['human'])

const LINK = object({ notificationType: oneOf('NOTIFICATION_TYPE_Email') }, ['notificationType'])
const PASSWORD_RESET = object({ sendLink: LINK }, ['sendLink'])

/** See zitadel.md#users-api. */
export const users: Record<string, Operation> = {
  changeUser: operation<{ human: { profile: StoredProfile } }>({
    method: 'PATCH',
    path: /^\/v2\/users\/([^/]+)$/,
    permission: 'user.write',
    writes: true,
    takes: CHANGES,
    run({ state, ids, body, version }) {
      const user = requireUser(state, ids[0])
      if (!version.clearsNames) requireNames(body.human.profile)
      const profile = { ...user.profile, ...body.human.profile }
      if (isDeepStrictEqual(profile, user.profile)) throw unchanged('Profile not changed')
      user.profile = profile
      user.changeDate = new Date().toISOString()
      return { changeDate: user.changeDate }
    },
  }),
  searchUsers: operation<{ query?: PageQuery; queries?: UserQuery[] }>({
    method: 'POST',
    path: /^\/v2\/users$/,
    permission: 'user.read',
    takes: SEARCH,
    run({ state, body: { query, queries = [] } }) {
      const matching = [...state.users.values()]
        .filter((user) => user.state !== 'DELETED')
        .filter((user) => queries.every((one) => matchesQuery(user, one)))
        .sort((one, other) => one.creationDate.localeCompare(other.creationDate))
      if (query?.asc !== true) matching.reverse()
      return page(matching.map(resource), query)
    },
  }),
  readUser: operation({
    method: 'GET',
    path: /^\/v2\/users\/([^/]+)$/,
    permission: 'user.read',
    run: ({ state, ids }) => ({ user: resource(requireUser(state, ids[0])) }),
  }),
  resetPassword: operation({
    method: 'POST',
    path: /^\/v2\/users\/([^/]+)\/password_reset$/,
    permission: 'user.write',
    takes: PASSWORD_RESET,
    run({ state, ids, send, passwordPage }) {
      const user = requireUser(state, ids[0])
      if (user.kind === 'machine') throw invalid('User is not human')
      send(passwordMail(user, passwordPage))
      return { details: { changeDate: user.changeDate } }
    },
  }),
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
  return operation({
    method: 'POST',
    path: new RegExp(`^/v2/users/([^/]+)/${verb}$`),
    permission: 'user.write',
    writes: true,
    takes: NOTHING,
    run({ state, ids }) {
      const user = requireUser(state, ids[0])
      if (!from.includes(user.state)) throw unchanged(`User is ${user.state}`)
      user.state = to
      user.changeDate = new Date().toISOString()
      return { details: { changeDate: user.changeDate } }
    },
  })
}

function requireNames(profile: StoredProfile) {
  for (const name of ['givenName', 'familyName'] as const) {
    if (profile[name] === '') throw invalid(`${name} must have at least 1 character`)
  }
}

function requireUser(state: State, userId: string) {
  const user = state.users.get(userId)
  if (!user || user.state === 'DELETED') throw notFound('User not found')
  return user
}

function matchesQuery(user: StoredUser, query: UserQuery): boolean {
  if ('organizationIdQuery' in query) {
    return user.orgId === query.organizationIdQuery.organizationId
  }
  if ('typeQuery' in query) return `TYPE_${user.kind.toUpperCase()}` === query.typeQuery.type
  if ('emailQuery' in query) {
    return matches(user.email, query.emailQuery.emailAddress, query.emailQuery.method)
  }
  if ('loginNameQuery' in query) {
    return matches(user.username, query.loginNameQuery.loginName, query.loginNameQuery.method)
  }
  if ('stateQuery' in query) return `USER_STATE_${user.state}` === query.stateQuery.state
  if ('inUserIdsQuery' in query) return query.inUserIdsQuery.userIds.includes(user.userId)
  if ('inUserEmailsQuery' in query) return query.inUserEmailsQuery.userEmails.includes(user.email)
  if ('andQuery' in query) return query.andQuery.queries.every((part) => matchesQuery(user, part))
  if ('orQuery' in query) return query.orQuery.queries.some((part) => matchesQuery(user, part))
  return !matchesQuery(user, query.notQuery.query)
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
