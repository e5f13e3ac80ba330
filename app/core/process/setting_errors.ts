import string from '@adonisjs/core/helpers/string'
import { Networks } from '#core/network/networks'
import { bounceSettingErrors } from '#core/process/bounce_setting_errors'
import { databaseSettingErrors } from '#core/process/database_setting_errors'
import { isLoopbackHost } from '#core/network/loopback'
import { areSpfMechanisms } from '#core/values/spf'
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

const MAX_LEASE_SECONDS = 3_600

const MAX_RATE = 1_000_000_000
const MAX_COUNT = 1_000_000

/** Whole numbers, with their minimum and maximum. */
const RANGES: Record<string, [minimum: number, maximum: number]> = {
  BROADCAST_LEASE: [1, MAX_LEASE_SECONDS],
  SEND_RETRY_HOURS: [0, MAX_RETRY_HOURS],
  RETENTION_LOGIN_RECORDS_DAYS: [0, MAX_RETENTION_DAYS],
  RETENTION_NOTIFICATIONS_DAYS: [0, MAX_RETENTION_DAYS],
  RETENTION_BROADCAST_RECIPIENTS_DAYS: [0, MAX_RETENTION_DAYS],
  RETENTION_WEBHOOK_DELIVERIES_DAYS: [0, MAX_RETENTION_DAYS],
  AUDIT_RETENTION_DAYS: [0, MAX_RETENTION_DAYS],
  RATE_LIMIT_TOKEN: [0, MAX_RATE],
  RATE_LIMIT_INTERNAL: [0, MAX_RATE],
  RATE_LIMIT_WEBHOOK: [0, MAX_RATE],
  RATE_LIMIT_PUBLIC: [0, MAX_RATE],
  RATE_LIMIT_CHECK: [0, MAX_RATE],
  RATE_LIMIT_FAILED_AUTH: [0, MAX_RATE],
  MAX_CONNECTIONS: [1, MAX_COUNT],
  MAX_IN_FLIGHT_CHECKS: [1, MAX_COUNT],
  MAX_IN_FLIGHT_SENDS: [1, MAX_COUNT],
  MAX_IN_FLIGHT_OTHER: [1, MAX_COUNT],
  MAX_INBOX_STREAMS: [1, MAX_COUNT],
  DATABASE_POOL: [1, 1_000],
  INTERNAL_PORT: [1, 65_535],
  SMTP_PORT: [1, 65_535],
  BOUNCE_SMTP_PORT: [1, 65_535],
  WEB_CONCURRENCY: [1, 1_024],
}

const MAX_BODY_LIMIT = '100mb'
const MAX_BODY_BYTES = string.bytes.parse(MAX_BODY_LIMIT)!

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
    ...bounceSettingErrors(settings),
    ...(areSpfMechanisms(settings.SMTP_SPF ?? '')
      ? []
      : [
          'SMTP_SPF must list SPF mechanisms such as include:spf.mailservice.example, without v=spf1 and all',
        ]),
    ...databaseSettingErrors(settings),
    ...(isSelection(settings.DECISION_LOG)
      ? []
      : ['DECISION_LOG must be off, denied, all or sample: with a share, such as sample:0.1']),
    ...(isBodyLimit(settings.BODY_LIMIT)
      ? []
      : [`BODY_LIMIT must be a size from 1kb to ${MAX_BODY_LIMIT}, such as 2mb`]),
  ]
}

function isSelection(setting: string | undefined) {
  return !setting || /^(?:off|denied|all|sample:(?:0(?:\.\d+)?|1(?:\.0+)?))$/.test(setting)
}

function isBodyLimit(setting: string | undefined) {
  if (!setting) return true
  const bytes = string.bytes.parse(setting)
  return bytes !== null && bytes >= 1_024 && bytes <= MAX_BODY_BYTES
}

function invalidNetworks(settings: Settings) {
  return ['CHECK_ALLOWED_NETWORKS', 'TRUSTED_PROXIES', 'APPLICATION_NETWORKS'].flatMap((name) => {
    try {
      new Networks(commaSeparated(settings[name]))
      return []
    } catch (error) {
      return [`${name} must list addresses and CIDR ranges: ${(error as Error).message}`]
    }
  })
}

function numbersOutOfRange(settings: Settings) {
  return Object.entries(RANGES)
    .filter(([name, range]) => settings[name] && !isWholeNumber(settings[name], range))
    .map(([name, [least, greatest]]) => {
      return `${name} must be a whole number from ${least} to ${greatest}`
    })
}

function isWholeNumber(text: string, [least, greatest]: [number, number]) {
  const value = Number(text)
  return Number.isInteger(value) && value >= least && value <= greatest
}

/** Errors in production. Missing settings are checked elsewhere. */
export function productionSettingErrors(settings: Settings): string[] {
  return [
    ...SECRETS.filter((name) => hasShortSecret(name, settings[name])).map(
      (name) => `${name} must contain secrets of at least ${MIN_SECRET_LENGTH} characters`
    ),
    ...emptyLists(settings),
    ...(invalidNetworks(settings).length === 0 &&
    commaSeparated(settings.TRUSTED_PROXIES).some(isHuge)
      ? [
          'TRUSTED_PROXIES must list your proxies: a range this large lets clients choose their address',
        ]
      : []),
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
  return ['IDP_AUDIENCE', 'INTERNAL_API_KEY', 'WEBHOOK_SECRET', 'CHECK_KEYS']
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

/** No operator has enough proxies to fill such a range. */
/** Whether a valid range is larger than 16 bits of IPv6 or 8 bits of IPv4, in either notation. */
function isHuge(range: string) {
  const [address, prefix] = range.split('/')
  if (prefix !== undefined && address.includes(':') && Number(prefix) < 16) return true
  const networks = new Networks([range])
  const blocks = Array.from({ length: 256 }, (_, block) => `${block}.0.0.1`)
  return blocks.filter((one) => networks.includes(one)).length > 1
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
