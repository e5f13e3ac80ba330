import { SESSION_COOKIE } from '#app/auth/session/session_cookie'

/**
 * What the named middleware of `start/kernel.ts` require of a client. Describe every new guard
 * here.
 */

/** See authentication.md#authentication-classes. */
export const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of the identity provider.',
  },
  panelSession: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      "For the pages of the admin panel only: the session of a user who signed in at `/panel/login`. Ignored if there is an `Authorization` header. Requires `X-Concierge-Panel: 1`, `Sec-Fetch-Site: same-origin` or no such header and, except for GET and HEAD, the service's own origin in `Origin`.",
  },
  internalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-internal-api-key',
    description:
      "For servers only: one of the keys in INTERNAL_API_KEY, or an application key (`cgk_…`) for that application's data.",
  },
  webhookSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Secret',
    description: 'One of the secrets in WEBHOOK_SECRET.',
  },
  checkKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Check-Key',
    description:
      'One of the keys in CHECK_KEYS, in addition to the private network. Required if CHECK_KEYS is set.',
  },
  authzenClient: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of a machine user that `AUTHZEN_CLIENTS` lists. Not needed in the private network, where the endpoints are served on `INTERNAL_PORT` only in production, unless `CHECK_ON_PUBLIC_PORT` is set. A request with a token is judged by the token alone.',
  },
  inboxTicket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description:
      'A ticket of `POST /api/profile/me/notifications/inbox/stream-ticket`, which opens one stream within 30 seconds.',
  },
  providerSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'IDP-Signature',
    description:
      '`t=<unix seconds>,v1=<hex>`, the HMAC-SHA-256 of `<t>.<exact body>` with the signing key of the identity provider; `ZITADEL-Signature` is also accepted.',
  },
} as const

/** Guards that accept one of several credentials. */
const ONE_OF: Record<string, string[]> = {
  token: ['token', 'panelSession'],
  streamCaller: ['token', 'panelSession', 'inboxTicket'],
  webhook: ['webhookSecret', 'providerSignature'],
  authzenCaller: ['authzenClient'],
}

/** Guards that require a credential only when a setting enables it. */
const OPTIONAL: Record<string, string> = {
  privateNetwork: 'checkKey',
  authzenCaller: 'checkKey',
}

const schemesOf = ({ name }: NamedGuard) => ONE_OF[name] ?? (name in SECURITY_SCHEMES ? [name] : [])

/** See authentication.md#access-requirements. */
const PANEL_REQUIREMENTS: Record<string, string> = {
  view: 'Requires the panel level `view` on the application.',
  edit: 'Requires the panel level `edit` on the application.',
  anyLevel: 'Requires any panel level.',
  readUsers: 'Requires a global panel admin, or an administrator of any application.',
  listUsers:
    'Requires a global panel admin, an administrator of any application, or the panel level `view` on the application in `appCode`.',
  globalAdmin: 'Requires a global panel admin.',
  superAdmin: 'Requires a super admin.',
  nothing: '',
}

/** Membership that a route requires when `membership` is `granted`. */
const MEMBER_REQUIREMENTS: Record<string, string> = {
  enter: 'If membership is `granted`, only for members of the application.',
  keep: 'If membership is `granted`, only for current and former members of the application.',
  know: 'If membership is `granted`, only for current and former members of the application and users who see it in the panel.',
}

/** Conditions other than a credential. */
const CONDITIONS: Record<string, (argument: unknown) => string> = {
  privateNetwork: () =>
    'Available on the private network only. In production, served on `INTERNAL_PORT` only, unless `CHECK_ON_PUBLIC_PORT` is set.',
  panel: (need) => PANEL_REQUIREMENTS[String(need)] ?? `Requires \`${need}\`.`,
  member: (need) => MEMBER_REQUIREMENTS[String(need)],
  templatePanel: (level) => `Requires the panel level \`${level}\` on the template's application.`,
  internalType: () => '',
  editableType: () => 'System types need a global panel admin.',
  ownApplication: () => '',
  developmentOnly: () => 'Not available in production.',
  docs: () =>
    'With `DOCS=private`, available on the private network only; with `DOCS=off`, not available.',
  authzenTransport: () => '',
  freshness: () => '',
  inTurn: () => '',
  json: () => '',
}

/** Problems that a guard does not raise with this argument. */
const NOT_RAISED_WITH: Record<string, Record<string, string>> = {
  KEY_NOT_FOR_APPLICATION: { internalKey: 'filtered' },
  SYSTEM_TYPE: { internalType: 'read' },
  FORBIDDEN: { panel: 'nothing', templatePanel: 'view' },
  USER_INACTIVE: { token: 'inactive' },
}

interface NamedGuard {
  name: string
  argument: unknown
}

/** Whether a guard raises this problem with its argument. */
export function raises({ name, argument }: NamedGuard, code: string): boolean {
  return NOT_RAISED_WITH[code]?.[name] !== argument || argument === undefined
}

/** The security requirements of a route; none if it is public. */
export function securityOf(guards: NamedGuard[]): Record<string, string[]>[] {
  const optional = guards.flatMap(({ name }) => OPTIONAL[name] ?? [])
  return [
    ...guards.flatMap(schemesOf).map((name) => ({ [name]: [] })),
    ...optional.flatMap((name) => [{ [name]: [] }, {}]),
  ]
}

/** @throws Error for a middleware that is not described here */
export function conditionsOf(guards: NamedGuard[]): string[] {
  const others = guards.filter((guard) => schemesOf(guard).length === 0)
  return others
    .map(({ name, argument }) => {
      const condition = CONDITIONS[name]
      if (condition) return condition(argument)
      throw new Error(
        `The middleware ${name} is not described. Add what it requires to development/openapi/authentication.ts`
      )
    })
    .filter((sentence) => sentence !== '')
}
