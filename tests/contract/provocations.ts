import type { Target } from '#tests/contract/targets'
import { hasLevel, hasRole } from '#tests/access/callers'
import { authenticate } from '#app/auth/authenticate'
import { SESSION_COOKIE, newSecret } from '#app/auth/session/session_cookie'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import { APPLICATION_MANAGER_ROLE } from '#app/applications/values/panel'
import { uniqueEmail } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

/** The variation of a request. */
export interface Variation {
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** Ways to provoke a problem; each works for some operations only. */
type Provocation = (target: Target) => Variation[] | Promise<Variation[]>

const OUTSIDE = '203.0.113.9'
const MORE_THAN_1_MIB = JSON.stringify({ a: 'x'.repeat(1_048_576) })
const WRONG_SECRET = { 'x-webhook-secret': 'wrong' }
const NO_CREDENTIALS = {
  'authorization': '',
  'x-internal-api-key': '',
  'x-webhook-secret': '',
  'idp-signature': '',
}

/** By problem code. Those that may change something come last. */
const PROVOCATIONS: Record<string, Provocation> = {
  UNAUTHENTICATED: () => [{ headers: NO_CREDENTIALS }, { headers: WRONG_SECRET }],
  INVALID_SIGNATURE: () => [{ headers: NO_CREDENTIALS }],
  CROSS_SITE: () => [{ headers: { cookie: `${SESSION_COOKIE}=${newSecret()}` } }],
  EMAIL_NOT_VERIFIED: async () => [
    { headers: await bearer(uniqueEmail(), { claims: { email_verified: false } }) },
  ],
  FORBIDDEN: async ({ scenes: [{ appCode }] }) => [
    { headers: await bearer(uniqueEmail()) },
    { headers: await bearer(await aViewerOf(appCode)) },
    { headers: { 'x-forwarded-for': OUTSIDE } },
  ],
  IDENTITY_CONFLICT: async () => [{ headers: await (impostor ??= anImpostor()) }],
  USER_INACTIVE: async () => [{ headers: await (deactivated ??= someoneDeactivated()) }],
  MALFORMED_JSON: () => [{ body: '{' }],
  NOT_FOUND: (target) => (target.pattern.startsWith('/docs/') ? unknownThings(target) : []),
  PAYLOAD_TOO_LARGE: () => [{ body: MORE_THAN_1_MIB }],
  REVISION_UNKNOWN: () => [{ headers: { 'concierge-at-least': '9'.repeat(15) } }],
  UNSUPPORTED_MEDIA_TYPE: () => [{ body: '{}', headers: { 'content-type': 'text/plain' } }],
  VALIDATION_ERROR: (target) => [
    ...pathsWith(target, () => '%00'),
    ...queriesOf(target).map((name) => withQuery(target, `${name}=a&${name}=b`)),
    { body: '[]' },
    { body: String.raw`"\u0000"` },
    { headers: { 'concierge-at-least': 'latest' } },
  ],
}

/** Empty if the problem cannot be provoked reliably. */
export function provocationsOf(target: Target, code: string): Variation[] | Promise<Variation[]> {
  return code.endsWith('_NOT_FOUND') ? unknownThings(target) : (PROVOCATIONS[code]?.(target) ?? [])
}

function unknownThings(target: Target): Variation[] {
  const unknown = (name: string) => (/(?:^i|I)d$/.test(name) ? '2147483647' : 'none-such')
  const [{ given }] = target.scenes
  const appCode = 'none-such'
  return [
    ...pathsWith(target, (name) => (name === 'email' ? uniqueEmail() : unknown(name))),
    ...(queriesOf(target).includes('appCode') ? [withQuery(target, `appCode=${appCode}`)] : []),
    ...['appCode', 'app']
      .filter((name) => given && name in given)
      .map((name) => ({ body: JSON.stringify({ ...given, [name]: appCode }) })),
  ]
}

const bearer = async (...token: Parameters<typeof issuer.token>) => ({
  authorization: `Bearer ${await issuer.token(...token)}`,
})

let impostor: ReturnType<typeof bearer> | undefined
let deactivated: typeof impostor

async function anImpostor() {
  await authenticate(`Bearer ${await issuer.token(SUPER_ADMIN)}`)
  return bearer(SUPER_ADMIN, { claims: { sub: uniqueId() } })
}

async function someoneDeactivated() {
  const { email } = await ensureUser({ email: uniqueEmail() })
  await User.query().where({ email }).update({ active: false })
  return bearer(email)
}

async function aViewerOf(appCode: string) {
  const email = await hasRole(uniqueEmail(), APPLICATION_MANAGER_ROLE)
  return hasLevel(email, appCode, 'view')
}

function pathsWith({ pattern, scenes: [{ path }] }: Target, text: (name: string) => string) {
  const segments = path.split('/')
  return pattern.split('/').flatMap((segment, index) => {
    if (!segment.startsWith(':')) return []
    return [{ path: segments.with(index, text(segment.slice(1))).join('/') }]
  })
}

const withQuery = ({ scenes: [{ path }] }: Target, query: string) => ({ path: `${path}?${query}` })

function queriesOf({ operation }: Target) {
  const parameters = operation.parameters ?? []
  return parameters.filter((one) => one.in === 'query').map(({ name }) => name)
}
