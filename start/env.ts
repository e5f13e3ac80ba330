import { Env, errors } from '@adonisjs/core/env'
import { settingErrors, productionSettingErrors } from '#core/process/setting_errors'
import { APP_ROOT } from '#core/process/root'

/**
 * In production, missing and unsafe settings prevent the start with one message that lists them
 * all.
 */
const production = process.env.NODE_ENV === 'production'
const inProduction = () => production
const usesPostgres = () => process.env.DB_CONNECTION === 'pg'

const env = await withSettingErrors(
  Env.create(APP_ROOT, {
    // Service
    /**
     * `production` refuses missing and unsafe settings and turns the development helpers off.
     * @default `development`
     */
    NODE_ENV: Env.schema.enum.optional(['development', 'production', 'test'] as const),
    /**
     * Address the service listens on.
     * @default `127.0.0.1`
     */
    HOST: (name, value) => Env.schema.string({ format: 'host' })(name, value || '127.0.0.1'),
    /**
     * Port the service listens on.
     * @default `3333`
     */
    PORT: (name, value) => Env.schema.number()(name, value || '3333'),
    /**
     * URL under which others reach the service. In production an https URL, or an address of
     * this machine.
     * @default `http://HOST:PORT`
     */
    APP_URL: Env.schema.string.optional({ format: 'url', tld: false }),
    /**
     * `true`: production accepts an `APP_URL` without https.
     * @default `false`
     */
    INSECURE_APP_URL: Env.schema.boolean.optional(),
    /** Encrypts stored secrets and signs cookies and unsubscribe links. At least 32 characters. */
    APP_KEY: Env.schema.secret(),
    /**
     * Previous values of `APP_KEY`, comma-separated. They still decrypt, but no longer encrypt
     * ([rotate secrets](../how-to/rotate-secrets.md)).
     */
    APP_KEY_PREVIOUS: Env.schema.secret.optional(),
    /**
     * Number of worker processes, up to 1,024.
     * @default `1`
     */
    WEB_CONCURRENCY: Env.schema.number.optional(),
    /**
     * Least severe level that is logged.
     * @default `info`
     */
    LOG_LEVEL: Env.schema.enum.optional([
      'fatal',
      'error',
      'warn',
      'info',
      'debug',
      'trace',
      'silent',
    ] as const),

    /**
     * Whether each request is logged: one line at level `info` with method, route pattern,
     * status, milliseconds, caller and client address.
     * @default `true` in production
     */
    ACCESS_LOG: Env.schema.boolean.optional(),

    // Database
    /**
     * Database system.
     * @default `sqlite`
     */
    DB_CONNECTION: Env.schema.enum.optional(['sqlite', 'pg'] as const),
    /**
     * Database file, relative to the project.
     * @default `tmp/concierge.sqlite3`
     */
    SQLITE_PATH: Env.schema.string.optional(),
    /**
     * `normal`: writes do not wait for the disk, and a power failure may lose the latest ones.
     * @default `full`
     */
    SQLITE_SYNCHRONOUS: Env.schema.enum.optional(['full', 'normal'] as const),
    /**
     * PostgreSQL connection string. Required with `DB_CONNECTION=pg`. With several servers, as in
     * `postgres://user:password@a:5432,b:5432/concierge`, the one that accepts writes is used
     * ([fail over](../how-to/fail-over.md)).
     */
    DATABASE_URL: Env.schema.string.optionalWhen(() => !usesPostgres()),
    /**
     * Connection string that leads to PostgreSQL without a pooler, for notifications and the
     * migration lock ([use PgBouncer](../how-to/use-pgbouncer.md)).
     * @default `DATABASE_URL`
     */
    DATABASE_LISTEN_URL: Env.schema.string.optional(),
    /**
     * Connection string of a replica that decides checks and searches, and answers lists on
     * request, whenever it is fresh enough ([read from a
     * replica](../how-to/read-from-a-replica.md)).
     * @default none
     */
    DATABASE_REPLICA_URL: Env.schema.string.optional(),
    /**
     * `false`: prepared statements have no names, for poolers that do not support them
     * ([use PgBouncer](../how-to/use-pgbouncer.md)).
     * @default `true`
     */
    DATABASE_NAMED_STATEMENTS: Env.schema.boolean.optional(),
    /**
     * PostgreSQL connections of each process, up to 1,000.
     * @default `10`
     */
    DATABASE_POOL: Env.schema.number.optional(),
    /**
     * `false`: migrations are run by hand, with the command `migration:run --force`.
     * @default `true`
     */
    MIGRATE_ON_START: Env.schema.boolean.optional(),

    // Background work
    /**
     * `false`: the service leaves broadcasts and retries to `queue:work` processes.
     * @default `true`
     */
    QUEUE_IN_SERVICE: Env.schema.boolean.optional(),
    /**
     * Seconds after which another process takes over recipients that a dead process had claimed,
     * up to 3,600.
     * @default `30`
     */
    BROADCAST_LEASE: Env.schema.number.optional(),
    /**
     * Hours for which a single send that fails temporarily is retried, unless the request sets
     * `retryHours`. At most 72 ([durable sends](behaviour/delivery.md#durable-sends)).
     * @default `0`
     */
    SEND_RETRY_HOURS: Env.schema.number.optional(),

    // Retention
    /**
     * Days after which login records are deleted. `0` keeps them
     * ([retention](behaviour/delivery.md#retention)).
     * @default `400`
     */
    RETENTION_LOGIN_RECORDS_DAYS: Env.schema.number.optional(),
    /**
     * Days after which notifications and their deliveries are deleted. `0` keeps them.
     * @default `400`
     */
    RETENTION_NOTIFICATIONS_DAYS: Env.schema.number.optional(),
    /**
     * Days after which the recipients of ended broadcasts are deleted. `0` keeps them.
     * @default `90`
     */
    RETENTION_BROADCAST_RECIPIENTS_DAYS: Env.schema.number.optional(),
    /**
     * Days after which the deliveries of outgoing webhooks are deleted. `0` keeps them.
     * @default `30`
     */
    RETENTION_WEBHOOK_DELIVERIES_DAYS: Env.schema.number.optional(),
    /**
     * Days after which audit entries are deleted. `0` keeps them.
     * @default `0`
     */
    AUDIT_RETENTION_DAYS: Env.schema.number.optional(),

    // Decision log
    /**
     * Which decisions are [logged](behaviour/checks.md#decision-log): `off`, `denied`, `all`, or
     * `sample:` with a share from 0 to 1, such as `sample:0.1`.
     * @default `off`
     */
    DECISION_LOG: Env.schema.string.optional(),
    /**
     * Where decisions are logged: a file, or `stdout`.
     * @default `stdout`
     */
    DECISION_LOG_TARGET: Env.schema.string.optional(),
    /**
     * `email`: keyed digests replace the addresses in the decision log.
     */
    DECISION_LOG_MASK: Env.schema.enum.optional(['email'] as const),

    // Keys
    /**
     * Keys of the platform for `/api/internal/*`, comma-separated while they are rotated. They
     * give access to every application, so give each application
     * [its own keys](../how-to/use-application-keys.md).
     */
    INTERNAL_API_KEY: Env.schema.string(),
    /**
     * `true`: the platform's keys can change and send system notification types, such as
     * password resets.
     * @default `false` in production
     */
    INTERNAL_KEY_EDITS_SYSTEM_TYPES: Env.schema.boolean.optional(),
    /** Secrets of the identity provider's webhook, comma-separated while they are rotated. */
    WEBHOOK_SECRET: Env.schema.string(),

    // Identity provider
    /**
     * OIDC issuer. Setting it replaces the development provider.
     * @default the development provider
     */
    IDP_ISSUER: Env.schema.string.optionalWhen(() => !inProduction(), {
      format: 'url',
      tld: false,
    }),
    /**
     * Accepted audiences of tokens, comma-separated.
     * @default `IDP_CLIENT_ID`, else any, outside production
     */
    IDP_AUDIENCE: Env.schema.string.optionalWhen(() => !inProduction()),
    /**
     * URL at which users reach the provider.
     * @default `IDP_ISSUER`
     */
    IDP_PUBLIC_URL: Env.schema.string.optional({ format: 'url', tld: false }),
    /**
     * Path below `IDP_PUBLIC_URL` where users manage their identity.
     * @default `/ui/console/users/me`
     */
    IDP_PROFILE_PATH: Env.schema.string.optional(),
    /** This platform's client at the provider. */
    IDP_CLIENT_ID: Env.schema.string.optional(),
    /**
     * Ids of the provider's organisations whose accounts are accepted, comma-separated.
     * @default all
     */
    IDP_ACCEPTED_ORGS: Env.schema.string.optional(),
    /**
     * Base URL of the provider's API.
     * @default `IDP_ISSUER`
     */
    IDP_API_URL: Env.schema.string.optional({ format: 'url', tld: false }),
    /**
     * Token of the service account with which this service writes names, sets up mail and
     * administers organisations at the provider.
     */
    IDP_SERVICE_ACCOUNT_TOKEN: Env.schema.string.optional(),
    /** Key file of the service account, as an alternative to its token. */
    IDP_SERVICE_ACCOUNT_KEY_FILE: Env.schema.string.optional(),
    /**
     * Encrypts the provider's signing keys in the database: 32 bytes in base64 (`openssl rand
     * -base64 32`).
     */
    IDP_ENCRYPTION_KEY: Env.schema.string.optional(),
    /**
     * Signing keys of the provider's action target for lifecycle events, comma-separated while
     * they are rotated.
     */
    IDP_WEBHOOK_SIGNING_KEYS: Env.schema.string.optional(),
    /**
     * JSON object that maps organisation ids to application codes.
     * @default `{}`
     */
    IDP_ORG_APPLICATIONS: Env.schema.string.optional(),
    /**
     * Application that holds the templates of the provider's mails.
     * @default `auth`
     */
    IDP_NOTIFICATION_APPLICATION: Env.schema.string.optional(),
    /**
     * Hours between reconciliations of the users with the provider's lists; the first runs at
     * start. `0` never reconciles. Otherwise from a second to a year; fractions are allowed.
     * @default `0`
     */
    IDP_RECONCILE_HOURS: Env.schema.number.optional(),

    // Admin panel
    /**
     * The panel's own client at the provider
     * ([connect Zitadel](../how-to/connect-zitadel.md#the-admin-panel)). Without it, nobody can
     * sign in to the panel.
     * @default the one of the development provider
     */
    PANEL_CLIENT_ID: Env.schema.string.optional(),
    /** Secret of the panel's client. */
    PANEL_CLIENT_SECRET: Env.schema.string.optional(),
    /** Key file of the panel's client, as an alternative to its secret. */
    PANEL_CLIENT_KEY_FILE: Env.schema.string.optional(),
    /**
     * Scopes that the panel requests, separated by spaces.
     * @default `openid profile email offline_access urn:zitadel:iam:user:resourceowner`
     */
    PANEL_SCOPES: Env.schema.string.optional(),

    // Seeds
    /** Addresses of super admins to add at start, comma-separated. Each takes effect once. */
    SUPER_ADMINS: Env.schema.string.optional(),
    /**
     * Slug of the brand created at the first start.
     * @default `default`
     */
    DEFAULT_BRAND: Env.schema.string.optional(),

    // Mail and Web Push
    /**
     * Server of the platform's SMTP account. Without it in production, only brands with their
     * own account send mail.
     * @default the development mailbox
     */
    SMTP_HOST: Env.schema.string.optional(),
    /**
     * Port of the SMTP server.
     * @default `465` with `SMTP_SECURE`, else `587`
     */
    SMTP_PORT: Env.schema.number.optional(),
    /**
     * `true`: TLS from the first byte. `false`: STARTTLS as `SMTP_TLS` says.
     * @default `false`
     */
    SMTP_SECURE: Env.schema.boolean.optional(),
    /** User name of the account. */
    SMTP_USER: Env.schema.string.optional(),
    /** Password of the account. */
    SMTP_PASSWORD: Env.schema.string.optional(),
    /**
     * `required` sends mail only over TLS with a verified certificate, `opportunistic` uses TLS
     * if the server offers it, `none` uses plain text.
     * @default `required` in production, else `opportunistic`
     */
    SMTP_TLS: Env.schema.enum.optional(['required', 'opportunistic', 'none'] as const),
    /**
     * What an SPF record must contain to allow mails of the platform's SMTP account, such as
     * `include:spf.mailservice.example`, or `ip4:192.0.2.7 ip4:192.0.2.8`. Your mail service tells
     * you. Administrators see it among the DNS records of brands without an SMTP account.
     * @default none
     */
    SMTP_SPF: Env.schema.string.optional(),
    /** Sender address. Required with `SMTP_HOST` in production. */
    MAIL_FROM: Env.schema.string.optionalWhen(() => !inProduction() || !process.env.SMTP_HOST),
    /** Sender name. */
    MAIL_FROM_NAME: Env.schema.string.optional(),
    /**
     * Address for reports about bounced mails. The platform's account then sends with
     * `<local part>+<token>@<domain>` as the envelope sender. At most 25 characters before the `@`.
     * @default none
     */
    BOUNCE_ADDRESS: Env.schema.string.optional(),
    /**
     * Port of an SMTP listener that takes these reports and nothing else. Needs `BOUNCE_ADDRESS`.
     * @default none
     */
    BOUNCE_SMTP_PORT: Env.schema.number.optional(),
    /**
     * Address of the SMTP listener.
     * @default `HOST`
     */
    BOUNCE_SMTP_HOST: Env.schema.string.optional({ format: 'host' }),
    /**
     * Certificate chain (PEM) with which the SMTP listener offers STARTTLS.
     * @default none
     */
    BOUNCE_SMTP_CERT_FILE: Env.schema.string.optional(),
    /** Private key (PEM) of the certificate. */
    BOUNCE_SMTP_KEY_FILE: Env.schema.string.optional(),
    /** Domain of the platform's DKIM key. A brand's own key takes precedence. */
    DKIM_DOMAIN: Env.schema.string.optional(),
    /** Selector of the DKIM key. */
    DKIM_SELECTOR: Env.schema.string.optional(),
    /** DKIM private key (RSA, PEM). */
    DKIM_PRIVATE_KEY: Env.schema.string.optional(),

    /** Public key for Web Push. */
    VAPID_PUBLIC_KEY: Env.schema.string.optionalWhen(() => !inProduction()),
    /** Private key for Web Push. */
    VAPID_PRIVATE_KEY: Env.schema.string.optionalWhen(() => !inProduction()),
    /**
     * Contact of the operator for push services: a `mailto:` or https URL.
     * @default `APP_URL`
     */
    VAPID_SUBJECT: Env.schema.string.optional(),

    // Network and access
    /**
     * Origins of pages that may [call from a browser](../how-to/call-from-a-browser.md),
     * comma-separated, in addition to those of approved instances.
     * @default none; outside production any page of this machine
     */
    CORS_ALLOWED_ORIGINS: Env.schema.string.optional(),
    /**
     * Who can read `/docs` and `/api/openapi.json`: everyone, the private network only, or
     * nobody.
     * @default `public`
     */
    DOCS: Env.schema.enum.optional(['public', 'private', 'off'] as const),
    /**
     * CIDR ranges that may call `/api/check*`, `/metrics` and, without a token, `/api/authzen/*`,
     * comma-separated.
     * @default loopback and private ranges
     */
    CHECK_ALLOWED_NETWORKS: Env.schema.string.optional(),
    /**
     * Keys, comma-separated. If set, `/api/check*`, `/metrics` and, without a token,
     * `/api/authzen/*` also require one of them as `X-Check-Key`. In production the list must not
     * be empty.
     */
    CHECK_KEYS: Env.schema.string.optional(),
    /**
     * Machine users whose tokens may call the
     * [AuthZEN endpoints](behaviour/authzen.md#authzen-callers) from outside the private network,
     * comma-separated: their `sub`, `client_id` or `azp`.
     * @default none
     */
    AUTHZEN_CLIENTS: Env.schema.string.optional(),
    /**
     * `true`: `/api/check*` and `/metrics` are also served on `PORT`, where your network must
     * protect them.
     * @default `false` in production
     */
    CHECK_ON_PUBLIC_PORT: Env.schema.boolean.optional(),
    /**
     * Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted, comma-separated.
     * Required behind any proxy. List only your proxies: production refuses ranges larger than `/8`
     * (IPv6: `/16`).
     * @default none
     */
    TRUSTED_PROXIES: Env.schema.string.optional(),
    /**
     * Addresses or CIDR ranges of servers that pass on their users' tokens, comma-separated. Wrong
     * tokens from there do not count for `RATE_LIMIT_FAILED_AUTH`.
     * @default none
     */
    APPLICATION_NETWORKS: Env.schema.string.optional(),
    /**
     * Port of a second listener that alone serves `/api/check*`, `/metrics` and `/api/internal/*`.
     * In production `/api/check*` and `/metrics` are served nowhere else, unless
     * `CHECK_ON_PUBLIC_PORT` is set.
     * @default none
     */
    INTERNAL_PORT: Env.schema.number.optional(),
    /**
     * Address of the second listener.
     * @default `127.0.0.1`
     */
    INTERNAL_HOST: Env.schema.string.optional({ format: 'host' }),
    /**
     * Origins that a `listEndpoint` may point to, comma-separated. Their servers receive the tokens
     * of administrators.
     * @default `*` outside production, else none
     */
    ENTITY_ALLOWED_ORIGINS: Env.schema.string.optional(),

    // Limits
    /**
     * Largest JSON body, from `1kb` to `100mb`. Bodies to `/api/profile/me*` are limited to 64 KiB,
     * to `/api/profile/me/check*` and from the identity provider to 256 KiB.
     * @default `1mb`
     */
    BODY_LIMIT: Env.schema.string.optional(),
    /**
     * Seconds in which a request's headers must arrive.
     * @default `5`
     */
    HEADERS_TIMEOUT: Env.schema.number.optional(),
    /**
     * Seconds in which the whole request must arrive.
     * @default `15`
     */
    REQUEST_TIMEOUT: Env.schema.number.optional(),
    /**
     * Seconds an idle connection is kept.
     * @default `65`
     */
    KEEP_ALIVE_TIMEOUT: Env.schema.number.optional(),
    /**
     * Connections of each process on each listener. One address has a quarter, except
     * `TRUSTED_PROXIES`. When all are taken, idle ones give way to new ones.
     * @default `10000`
     */
    MAX_CONNECTIONS: Env.schema.number.optional(),
    /**
     * Checks that each process works on at a time, for servers and the same number for users.
     * Beyond that, 503 `OVERLOADED`; one caller has a quarter, beyond that 429 `RATE_LIMITED`.
     * @default `1000`
     */
    MAX_IN_FLIGHT_CHECKS: Env.schema.number.optional(),
    /**
     * The same for `/api/internal/*`, and for mails of the identity provider.
     * @default `250`
     */
    MAX_IN_FLIGHT_SENDS: Env.schema.number.optional(),
    /**
     * The same for streams, and for everything else.
     * @default `250`
     */
    MAX_IN_FLIGHT_OTHER: Env.schema.number.optional(),
    /**
     * Open streams of inboxes in each process.
     * @default `5000`
     */
    MAX_INBOX_STREAMS: Env.schema.number.optional(),
    /**
     * Requests per minute and user in each process. `0` is no limit, here and below.
     * @default `6000`
     */
    RATE_LIMIT_TOKEN: Env.schema.number.optional(),
    /**
     * Requests per minute and client address to `/api/internal/*`.
     * @default `60000`
     */
    RATE_LIMIT_INTERNAL: Env.schema.number.optional(),
    /**
     * Requests per minute and client address to the routes that the identity provider calls.
     * @default `6000`
     */
    RATE_LIMIT_WEBHOOK: Env.schema.number.optional(),
    /**
     * Requests per minute and client address without authentication.
     * @default `6000`
     */
    RATE_LIMIT_PUBLIC: Env.schema.number.optional(),
    /**
     * Requests per minute and client address to `/api/check*` and `/api/authzen/*`. Each machine
     * user of `AUTHZEN_CLIENTS` counts for itself.
     * @default `0`
     */
    RATE_LIMIT_CHECK: Env.schema.number.optional(),
    /**
     * Wrong credentials per minute and client address, for all credentials together. Beyond
     * that, requests with a credential from this address get 429.
     * @default `60`
     */
    RATE_LIMIT_FAILED_AUTH: Env.schema.number.optional(),
  })
)

// The framework reads these two, and has a different default host.
process.env.HOST = env.get('HOST')
process.env.PORT = String(env.get('PORT'))

export default env

/** Adds rules that the schema cannot express. By then, `.env` is part of the environment. */
async function withSettingErrors<T>(loaded: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([loaded])
  const messages = settingErrors(process.env)
  if (production) messages.push(...productionSettingErrors(process.env))
  if (result.status === 'rejected') {
    const { reason } = result
    if (messages.length === 0 || !(reason instanceof errors.E_INVALID_ENV_VARIABLES)) throw reason
    messages.unshift(...reason.help.split('\n').map((line) => line.replace(/^- /, '')))
  } else if (messages.length === 0) return result.value
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = messages.map((message) => `- ${message}`).join('\n')
  throw error
}
