/**
 * What each named middleware of `start/kernel.ts` asks of a client. Who adds a guard says here what it means.
 */

/** Authentication classes (specification part 5). */
export const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Class JWT: an access token of the identity provider.',
  },
  internalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-internal-api-key',
    description:
      "Class Internal, for servers only: one of the keys in INTERNAL_API_KEY, or an application key (`cgk_…`) for that application's data.",
  },
  webhookSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Secret',
    description: 'Class Webhook secret: one of the secrets in WEBHOOK_SECRET.',
  },
  checkKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Check-Key',
    description:
      'Class None: one of the keys in CHECK_KEYS, in addition to the private network. Required when CHECK_KEYS is set.',
  },
  providerSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'IDP-Signature',
    description:
      'Class Signed request: `t=<unix seconds>,v1=<hex>`, the HMAC-SHA-256 of `<t>.<exact body>` with the signing key of the identity provider; `ZITADEL-Signature` is accepted, too.',
  },
} as const

/** Guards that take one of several credentials. */
const ONE_OF: Record<string, string[]> = { webhook: ['webhookSecret', 'providerSignature'] }

/** Guards that require a credential only when a setting enables it. */
const OPTIONAL: Record<string, string> = { privateNetwork: 'checkKey' }

const schemesOf = ({ name }: Named) => ONE_OF[name] ?? (name in SECURITY_SCHEMES ? [name] : [])

/** What the caller of a management endpoint must be (decisions 2.5). */
const PANEL_NEEDS: Record<string, string> = {
  view: 'Needs the panel level `view` on the application.',
  edit: 'Needs the panel level `edit` on the application.',
  anyLevel: 'Needs any panel level.',
  readUsers: 'Needs the right to read users.',
  globalAdmin: 'Needs a global panel admin.',
  superAdmin: 'Needs a super admin.',
  nothing: '',
}

/** Membership that a route requires when `membership` is `granted`. */
const MEMBER_NEEDS: Record<string, string> = {
  enter: 'When membership is `granted`, only for members of the application.',
  keep: 'When membership is `granted`, only for current and former members of the application.',
  know: 'When membership is `granted`, only for current and former members of the application and people who see it in the panel.',
}

/** Conditions that no credential meets, in words. */
const CONDITIONS: Record<string, (argument: unknown) => string> = {
  privateNetwork: () =>
    'Available on the private network only (class None). In production, served on `INTERNAL_PORT` only, unless `CHECK_ON_PUBLIC_PORT` is set.',
  panel: (need) => PANEL_NEEDS[String(need)] ?? `Needs \`${need}\`.`,
  member: (need) => MEMBER_NEEDS[String(need)],
  templatePanel: (level) => `Needs the panel level \`${level}\` on the template's application.`,
  internalType: () => '',
  editableType: () => 'System types need a global panel admin.',
  ownApplication: () => '',
  developmentOnly: () => 'Outside production only.',
  docs: () =>
    'With `DOCS=private`, available on the private network only; with `DOCS=off`, not available.',
  json: () => '',
}

/** What guards raise, but not with these arguments. */
const NOT_RAISED: Record<string, Record<string, string>> = {
  KEY_NOT_FOR_APPLICATION: { internalKey: 'filtered' },
  SYSTEM_TYPE: { internalType: 'read' },
  FORBIDDEN: { panel: 'nothing', templatePanel: 'view' },
  USER_INACTIVE: { token: 'inactive' },
}

interface Named {
  name: string
  argument: unknown
}

/** Whether a guard that can raise this problem does so on this route. */
export function raises({ name, argument }: Named, code: string): boolean {
  return NOT_RAISED[code]?.[name] !== argument || argument === undefined
}

/** The security requirement of a route; an empty list where anybody may ask. */
export function securityOf(guards: Named[]): Record<string, string[]>[] {
  const optional = guards.flatMap(({ name }) => OPTIONAL[name] ?? [])
  return [
    ...guards.flatMap(schemesOf).map((name) => ({ [name]: [] })),
    ...optional.flatMap((name) => [{ [name]: [] }, {}]),
  ]
}

/**
 * What else a route asks for, in sentences.
 *
 * @throws Error for a middleware of which nothing is said here
 */
export function conditionsOf(guards: Named[]): string[] {
  const others = guards.filter((guard) => schemesOf(guard).length === 0)
  return others
    .map(({ name, argument }) => {
      const condition = CONDITIONS[name]
      if (condition) return condition(argument)
      throw new Error(
        `Nothing is known of the middleware ${name}: say in app/core/openapi/authentication.ts what it asks of a client`
      )
    })
    .filter((sentence) => sentence !== '')
}
