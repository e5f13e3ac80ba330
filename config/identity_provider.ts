import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'
import { developmentIssuer } from '#config/development'

/** Outside production, the default is the development provider of `npm start`. */
const issuer = env.get('IDP_ISSUER') || developmentIssuer(env.get('HOST'), env.get('PORT'))
const isEmbedded = !env.get('IDP_ISSUER') && process.env.NODE_ENV !== 'production'

/** @throws Error if the setting lists no organisation */
function acceptedOrganisations(): string[] {
  const setting = env.get('IDP_ACCEPTED_ORGS')
  const organisations = commaSeparated(setting)
  if (!setting || organisations.length > 0) return organisations
  throw new Error('IDP_ACCEPTED_ORGS must be a comma-separated list of organisation ids')
}

/** See identity-provider.md#preferences-of-new-members. @throws Error */
function organisationApplications(): Map<string, string> {
  const setting = env.get('IDP_ORG_APPLICATIONS') || '{}'
  try {
    const entries = Object.entries(JSON.parse(setting) as object)
    if (entries.every(([, code]) => typeof code === 'string')) return new Map(entries)
  } catch {
    // The error below does not quote the setting.
  }
  throw new Error(
    'IDP_ORG_APPLICATIONS must be a JSON object that maps organisation ids to application codes'
  )
}

/** @throws Error if the setting is not 32 bytes in base64 */
function encryptionKey(): string | undefined {
  const setting = env.get('IDP_ENCRYPTION_KEY')?.trim()
  if (!setting) return undefined
  const bytes = Buffer.from(setting, 'base64')
  if (bytes.length === 32 && bytes.toString('base64') === setting) return setting
  throw new Error(
    'IDP_ENCRYPTION_KEY must be 32 bytes in base64, such as the output of `openssl rand -base64 32`'
  )
}

/** @throws Error if the setting is out of range */
function reconcileHours(): number {
  const hours = env.get('IDP_RECONCILE_HOURS') ?? 0
  if (hours === 0 || (hours >= 1 / 3_600 && hours <= 24 * 365)) return hours
  throw new Error(
    'IDP_RECONCILE_HOURS must be 0, or at least one second and at most a year, in hours'
  )
}

export default {
  issuer,
  /** Whether tokens come from the development provider of `npm start`. */
  isEmbedded,
  /**
   * The issuer under which accounts are stored. The URL of the development provider depends on the
   * port.
   */
  accountIssuer: isEmbedded ? 'urn:concierge:development' : issuer,
  acceptedOrganisations: acceptedOrganisations(),
  publicUrl: env.get('IDP_PUBLIC_URL') || issuer,
  profilePath: env.get('IDP_PROFILE_PATH') || '/ui/console/users/me',
  /** The platform's own client, which applications cannot change. */
  clientId: env.get('IDP_CLIENT_ID') || undefined,
  apiUrl: env.get('IDP_API_URL') || issuer,
  serviceAccount: {
    token: env.get('IDP_SERVICE_ACCOUNT_TOKEN') || undefined,
    keyFile: env.get('IDP_SERVICE_ACCOUNT_KEY_FILE') || undefined,
  },
  encryptionKey: encryptionKey(),
  /** Keys of the target that posts lifecycle events. */
  webhookSigningKeys: commaSeparated(env.get('IDP_WEBHOOK_SIGNING_KEYS')),
  organisationApplications: organisationApplications(),
  reconcileHours: reconcileHours(),

  /** The application that owns the templates of the provider's mails. */
  notificationApplication: env.get('IDP_NOTIFICATION_APPLICATION') || 'auth',
  mails: {
    /** Zitadel gives up after 5 s (identity-provider.md#delivery-of-a-system-mail). */
    respondWithinMs: 3_000,
    /** While so many rounds are in progress, the hook leaves a mail to the background. */
    mostAwaited: 20,
    /** How long a delivery round lasts, even after the response was sent. */
    roundMs: 20_000,
    /** Of a round, for the server: no wait for a connection takes from it. */
    reservedMs: 10_000,
    /** Longer than a round and the recording of its result. */
    leaseMs: 60_000,
    /** Rounds at a time in this process: in all, and for each brand. */
    parallel: 100,
    perBrand: 10,
    /** For each domain of recipients. */
    perDomain: 3,
    /**
     * A domain with a round that took a while or failed gets a single one for some time, and all of
     * these together get some of those of the brand.
     */
    perBrandDifficult: 5,
    difficultRoundMs: 1_000,
    difficultForMs: 60_000,
    retryAfterSeconds: [10, 30, 60, 120, 240],
    retryForMinutes: 15,
    /** How long a repeated request is recognised. */
    rememberedDays: 7,
  },
}
