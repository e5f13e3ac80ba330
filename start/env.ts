import { Env, errors } from '@adonisjs/core/env'
import { impossibleSettings, unsafeSettings } from '#start/refused_settings'
import { APP_ROOT } from '#start/root'

/**
 * In production, missing and unsafe settings stop the start with one message that lists them all.
 */
const production = process.env.NODE_ENV === 'production'
const inProduction = () => production
const usesPostgres = () => process.env.DB_CONNECTION === 'pg'

const env = await withSettingErrors(
  Env.create(APP_ROOT, {
    NODE_ENV: Env.schema.enum.optional(['development', 'production', 'test'] as const),
    HOST: (name, value) => Env.schema.string({ format: 'host' })(name, value || '127.0.0.1'),
    PORT: (name, value) => Env.schema.number()(name, value || '3333'),
    APP_URL: Env.schema.string.optional({ format: 'url', tld: false }),
    INSECURE_APP_URL: Env.schema.boolean.optional(),
    APP_KEY: Env.schema.secret(),
    APP_KEY_PREVIOUS: Env.schema.secret.optional(),
    LOG_LEVEL: Env.schema.enum.optional([
      'fatal',
      'error',
      'warn',
      'info',
      'debug',
      'trace',
      'silent',
    ] as const),

    ACCESS_LOG: Env.schema.boolean.optional(),

    DB_CONNECTION: Env.schema.enum.optional(['sqlite', 'pg'] as const),
    SQLITE_PATH: Env.schema.string.optional(),
    SQLITE_SYNCHRONOUS: Env.schema.enum.optional(['full', 'normal'] as const),
    DATABASE_URL: Env.schema.string.optionalWhen(() => !usesPostgres()),
    DATABASE_POOL: Env.schema.number.optional(),
    MIGRATE_ON_START: Env.schema.boolean.optional(),
    QUEUE_IN_SERVICE: Env.schema.boolean.optional(),
    BROADCAST_LEASE: Env.schema.number.optional(),

    RETENTION_LOGIN_RECORDS_DAYS: Env.schema.number.optional(),
    RETENTION_NOTIFICATIONS_DAYS: Env.schema.number.optional(),
    RETENTION_BROADCAST_RECIPIENTS_DAYS: Env.schema.number.optional(),

    INTERNAL_API_KEY: Env.schema.string(),
    INTERNAL_KEY_EDITS_SYSTEM_TYPES: Env.schema.boolean.optional(),
    WEBHOOK_SECRET: Env.schema.string(),

    IDP_ISSUER: Env.schema.string.optionalWhen(() => !inProduction(), {
      format: 'url',
      tld: false,
    }),
    IDP_AUDIENCE: Env.schema.string.optionalWhen(() => !inProduction()),
    IDP_PUBLIC_URL: Env.schema.string.optional({ format: 'url', tld: false }),
    IDP_PROFILE_PATH: Env.schema.string.optional(),
    IDP_CLIENT_ID: Env.schema.string.optional(),
    IDP_ACCEPTED_ORGS: Env.schema.string.optional(),
    IDP_API_URL: Env.schema.string.optional({ format: 'url', tld: false }),
    IDP_SERVICE_ACCOUNT_TOKEN: Env.schema.string.optional(),
    IDP_SERVICE_ACCOUNT_KEY_FILE: Env.schema.string.optional(),
    IDP_ENCRYPTION_KEY: Env.schema.string.optional(),
    IDP_WEBHOOK_SIGNING_KEYS: Env.schema.string.optional(),
    IDP_ORG_APPLICATIONS: Env.schema.string.optional(),
    IDP_NOTIFICATION_APPLICATION: Env.schema.string.optional(),
    IDP_RECONCILE_HOURS: Env.schema.number.optional(),

    SUPER_ADMINS: Env.schema.string.optional(),
    DEFAULT_BRAND: Env.schema.string.optional(),

    SMTP_HOST: Env.schema.string.optional(),
    SMTP_PORT: Env.schema.number.optional(),
    SMTP_SECURE: Env.schema.boolean.optional(),
    SMTP_USER: Env.schema.string.optional(),
    SMTP_PASSWORD: Env.schema.string.optional(),
    SMTP_TLS: Env.schema.enum.optional(['required', 'opportunistic', 'none'] as const),
    MAIL_FROM: Env.schema.string.optionalWhen(() => !inProduction() || !process.env.SMTP_HOST),
    MAIL_FROM_NAME: Env.schema.string.optional(),
    DKIM_DOMAIN: Env.schema.string.optional(),
    DKIM_SELECTOR: Env.schema.string.optional(),
    DKIM_PRIVATE_KEY: Env.schema.string.optional(),

    SEND_RETRY_HOURS: Env.schema.number.optional(),

    VAPID_PUBLIC_KEY: Env.schema.string.optionalWhen(() => !inProduction()),
    VAPID_PRIVATE_KEY: Env.schema.string.optionalWhen(() => !inProduction()),
    VAPID_SUBJECT: Env.schema.string.optional(),

    CORS_ALLOWED_ORIGINS: Env.schema.string.optional(),
    DOCS: Env.schema.enum.optional(['public', 'private', 'off'] as const),
    CHECK_ALLOWED_NETWORKS: Env.schema.string.optional(),
    CHECK_KEYS: Env.schema.string.optional(),
    CHECK_ON_PUBLIC_PORT: Env.schema.boolean.optional(),
    TRUSTED_PROXIES: Env.schema.string.optional(),
    INTERNAL_PORT: Env.schema.number.optional(),
    INTERNAL_HOST: Env.schema.string.optional({ format: 'host' }),
    ENTITY_ALLOWED_ORIGINS: Env.schema.string.optional(),

    BODY_LIMIT: Env.schema.string.optional(),
    HEADERS_TIMEOUT: Env.schema.number.optional(),
    REQUEST_TIMEOUT: Env.schema.number.optional(),
    KEEP_ALIVE_TIMEOUT: Env.schema.number.optional(),
    MAX_CONNECTIONS: Env.schema.number.optional(),
    MAX_IN_FLIGHT_CHECKS: Env.schema.number.optional(),
    MAX_IN_FLIGHT_SENDS: Env.schema.number.optional(),
    MAX_IN_FLIGHT_OTHER: Env.schema.number.optional(),
    RATE_LIMIT_TOKEN: Env.schema.number.optional(),
    RATE_LIMIT_INTERNAL: Env.schema.number.optional(),
    RATE_LIMIT_WEBHOOK: Env.schema.number.optional(),
    RATE_LIMIT_PUBLIC: Env.schema.number.optional(),
    RATE_LIMIT_CHECK: Env.schema.number.optional(),
    RATE_LIMIT_FAILED_AUTH: Env.schema.number.optional(),

    WEB_CONCURRENCY: Env.schema.number.optional(),
  })
)

// The framework reads these two, and has a different default host.
process.env.HOST = env.get('HOST')
process.env.PORT = String(env.get('PORT'))

export default env

/** Adds rules that the schema cannot express. By then, `.env` is part of the environment. */
async function withSettingErrors<T>(loaded: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([loaded])
  const messages = impossibleSettings(process.env)
  if (production) messages.push(...unsafeSettings(process.env))
  if (result.status === 'rejected') {
    const { reason } = result
    if (messages.length === 0 || !(reason instanceof errors.E_INVALID_ENV_VARIABLES)) throw reason
    messages.unshift(...reason.help.split('\n').map((line) => line.replace(/^- /, '')))
  } else if (messages.length === 0) return result.value
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = messages.map((message) => `- ${message}`).join('\n')
  throw error
}
