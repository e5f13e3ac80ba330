import { Networks } from '#core/network/networks'
import { isLoopbackHost } from '#core/network/loopback'
import { commaSeparated } from '#core/values/comma_separated'

type Settings = Record<string, string | undefined>

const MIN_SECRET_LENGTH = 32

/** Secrets of the identity provider have other rules. */
const SECRETS = [
  'APP_KEY',
  'APP_KEY_PREVIOUS',
  'INTERNAL_API_KEY',
  'WEBHOOK_SECRET',
  'CHECK_KEYS',
] as const

export const MAX_RETRY_HOURS = 72
const MAX_RETENTION_DAYS = 36_500

/** Whole numbers from 0 to this limit. */
const LIMITS: Record<string, number> = {
  SEND_RETRY_HOURS: MAX_RETRY_HOURS,
  RETENTION_LOGIN_RECORDS_DAYS: MAX_RETENTION_DAYS,
  RETENTION_NOTIFICATIONS_DAYS: MAX_RETENTION_DAYS,
  RETENTION_BROADCAST_RECIPIENTS_DAYS: MAX_RETENTION_DAYS,
}

/** Errors in any environment. They name settings but contain no values. */
export function settingErrors(settings: Settings): string[] {
  const { PORT, INTERNAL_PORT, CORS_ALLOWED_ORIGINS } = settings
  const sharesPort = Boolean(INTERNAL_PORT) && Number(INTERNAL_PORT) === Number(PORT || 3333)
  return [
    ...(sharesPort ? ['INTERNAL_PORT must differ from PORT'] : []),
    ...(commaSeparated(CORS_ALLOWED_ORIGINS).every(isOrigin)
      ? []
      : [
          'CORS_ALLOWED_ORIGINS must list origins such as https://app.example.com, without a path or *',
        ]),
    ...invalidNetworks(settings),
    ...numbersOutOfRange(settings),
  ]
}

function invalidNetworks(settings: Settings) {
  return ['CHECK_ALLOWED_NETWORKS', 'TRUSTED_PROXIES'].flatMap((name) => {
    try {
      new Networks(commaSeparated(settings[name]))
      return []
    } catch (error) {
      return [`${name} must list addresses and CIDR ranges: ${(error as Error).message}`]
    }
  })
}

function numbersOutOfRange(settings: Settings) {
  return Object.entries(LIMITS)
    .filter(([name, limit]) => settings[name] && !isWholeNumber(settings[name], limit))
    .map(([name, limit]) => `${name} must be a whole number from 0 to ${limit}`)
}

function isWholeNumber(text: string, limit: number) {
  const value = Number(text)
  return Number.isInteger(value) && value >= 0 && value <= limit
}

/** Errors in production. Missing settings are checked elsewhere. */
export function productionSettingErrors(settings: Settings): string[] {
  return [
    ...SECRETS.filter((name) => hasShortSecret(name, settings[name])).map(
      (name) => `${name} must contain secrets of at least ${MIN_SECRET_LENGTH} characters`
    ),
    ...emptyLists(settings),
    ...unsafeUrls(settings),
    ...(commaSeparated(settings.ENTITY_ALLOWED_ORIGINS).includes('*')
      ? ['ENTITY_ALLOWED_ORIGINS must list origins: * would send tokens to any host']
      : []),
  ]
}

function hasShortSecret(name: (typeof SECRETS)[number], value: string | undefined) {
  if (!value) return false
  // APP_KEY is a single secret, which may contain commas.
  const secrets = name === 'APP_KEY' ? [value] : commaSeparated(value)
  return secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)
}

function emptyLists(settings: Settings) {
  return ['IDP_AUDIENCE', 'INTERNAL_API_KEY', 'WEBHOOK_SECRET']
    .filter((name) => settings[name] && commaSeparated(settings[name]).length === 0)
    .map((name) => `${name} must not be an empty list`)
}

function unsafeUrls({ HOST, APP_URL, INSECURE_APP_URL, IDP_ISSUER }: Settings) {
  const allowsAnyUrl = ['true', '1'].includes(INSECURE_APP_URL ?? '')
  const host = HOST || '127.0.0.1'
  const isLocal = APP_URL ? isSafeUrl(APP_URL) : isLoopbackHost(host) || host === '::1'
  return [
    ...(isLocal || allowsAnyUrl
      ? []
      : [
          'APP_URL must be an https URL or an address of this machine; INSECURE_APP_URL=true allows any URL',
        ]),
    ...(!IDP_ISSUER || isSafeUrl(IDP_ISSUER)
      ? []
      : ['IDP_ISSUER must be an https URL or an address of this machine']),
  ]
}

function isSafeUrl(value: string) {
  const url = URL.parse(value)
  if (url === null) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}

function isOrigin(text: string) {
  const url = text.includes('*') ? null : URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}
