import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'
import { developmentIssuer } from '#start/development_world'

/** Outside production, without an issuer of one's own, the embedded development provider (`npm start`). */
const issuer = env.get('IDP_ISSUER') || developmentIssuer(env.get('HOST'), env.get('PORT'))
const isEmbedded = !env.get('IDP_ISSUER') && process.env.NODE_ENV !== 'production'

/**
 * Organisations whose accounts may use the platform; empty: all.
 *
 * @throws Error when the setting names none
 */
function acceptedOrganisations(): string[] {
  const setting = env.get('IDP_ACCEPTED_ORGS')
  const organisations = commaSeparated(setting)
  if (!setting || organisations.length > 0) return organisations
  throw new Error('IDP_ACCEPTED_ORGS must be a comma-separated list of organisation ids')
}

/**
 * Organisation id to application code (decisions 5.1).
 *
 * @throws Error when the setting is not a JSON object of strings
 */
function organisationApplications(): Map<string, string> {
  const setting = env.get('IDP_ORG_APPLICATIONS') || '{}'
  try {
    const entries = Object.entries(JSON.parse(setting) as object)
    if (entries.every(([, code]) => typeof code === 'string')) return new Map(entries)
  } catch {
    // Said below, without quoting the setting.
  }
  throw new Error(
    'IDP_ORG_APPLICATIONS must be a JSON object of organisation ids to application codes'
  )
}

/**
 * The key for the provider's signing keys at rest; none: they cannot be stored.
 *
 * @throws Error when the setting is not the base64 of 32 bytes
 */
function encryptionKey(): string | undefined {
  const setting = env.get('IDP_ENCRYPTION_KEY')?.trim()
  if (!setting) return undefined
  const bytes = Buffer.from(setting, 'base64')
  if (bytes.length === 32 && bytes.toString('base64') === setting) return setting
  throw new Error('IDP_ENCRYPTION_KEY must be 32 bytes in base64, as of `openssl rand -base64 32`')
}

/**
 * Every how many hours users are reconciled; 0: never.
 *
 * @throws Error when the setting is negative or less than a second
 */
function reconcileHours(): number {
  const hours = env.get('IDP_RECONCILE_HOURS') ?? 0
  if (hours === 0 || (hours >= 1 / 3_600 && hours <= 24 * 365)) return hours
  throw new Error('IDP_RECONCILE_HOURS must be 0, or from a second to a year in hours')
}

export default {
  issuer,
  /** Whether tokens come from the development provider of `npm start`. */
  isEmbedded,
  /**
   * The issuer under which accounts are recorded. The development provider moves with the port of
   * the service and keeps its accounts.
   */
  accountIssuer: isEmbedded ? 'urn:concierge:development' : issuer,
  acceptedOrganisations: acceptedOrganisations(),
  publicUrl: env.get('IDP_PUBLIC_URL') || issuer,
  profilePath: env.get('IDP_PROFILE_PATH') || '/ui/console/users/me',
  /** The platform's own client, which no application may change. */
  clientId: env.get('IDP_CLIENT_ID') || undefined,
  apiUrl: env.get('IDP_API_URL') || issuer,
  serviceAccount: {
    token: env.get('IDP_SERVICE_ACCOUNT_TOKEN') || undefined,
    keyFile: env.get('IDP_SERVICE_ACCOUNT_KEY_FILE') || undefined,
  },
  encryptionKey: encryptionKey(),
  /** Keys of the target that posts lifecycle events, the e-mail provider's are stored. */
  webhookSigningKeys: commaSeparated(env.get('IDP_WEBHOOK_SIGNING_KEYS')),
  organisationApplications: organisationApplications(),
  reconcileHours: reconcileHours(),

  /** The application that holds the templates of the provider's e-mails. */
  notificationApplication: env.get('IDP_NOTIFICATION_APPLICATION') || 'auth',
  mails: {
    /** How long the e-mail hook waits for a delivery; the provider gives up after 5 s (decisions 5.2). */
    answerWithinMs: 3_000,
    /** How long one round of delivering goes on, answered or not. */
    roundMs: 20_000,
    /** A mail somebody works on is left alone for so long: longer than a round with its record takes. */
    leaseMs: 60_000,
    retryAfterSeconds: [10, 30, 60, 120, 240],
    retryForMinutes: 15,
    /** How long a body is recognised when it comes again. */
    rememberedDays: 7,
  },
}
