import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { developmentMailbox } from '#config/development'
import { parseBounceAddress } from '#core/values/parse_bounce_address'
import { normalizeEmail } from '#core/values/email'
import { type DkimKey, parseDkimKey } from '#app/delivery/mail/parse_dkim_key'
import { DEFAULT_SMTP_TLS } from '#app/platform/values/smtp_tls'

/** Outside production, the default is the development mailbox of `npm start`. */
const mailbox = developmentMailbox(env.get('HOST'), env.get('PORT'))

const host = env.get('SMTP_HOST') || mailbox.host
const secure = env.get('SMTP_SECURE') ?? false
const port =
  env.get('SMTP_PORT') ?? (env.get('SMTP_HOST') ? (secure ? 465 : 587) : mailbox.smtpPort)

function fromAddress() {
  const address = normalizeEmail(env.get('MAIL_FROM') || 'no-reply@concierge.test')
  if (address === null) throw new Error('MAIL_FROM must be an e-mail address')
  return address
}

/**
 * @throws Error if the key cannot sign: mail must never be sent unsigned (delivery.md#dkim-signing)
 */
function dkim(): DkimKey | null {
  const domain = env.get('DKIM_DOMAIN')
  const selector = env.get('DKIM_SELECTOR')
  const privateKey = env.get('DKIM_PRIVATE_KEY')
  if (!domain && !selector && !privateKey) return null
  if (!domain || !selector || !privateKey) {
    throw new Error('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY must be set together')
  }
  const key = parseDkimKey(privateKey)
  if (key === null)
    throw new Error('DKIM_PRIVATE_KEY must be an RSA private key in PEM format that can sign')
  return { domain, selector, key }
}

/** Without a server, only brands with their own account can send mail. */
function account() {
  if (app.inProduction && !env.get('SMTP_HOST')) return null
  return {
    host,
    port,
    secure,
    user: env.get('SMTP_USER') || null,
    password: env.get('SMTP_PASSWORD') || null,
    tls: env.get('SMTP_TLS') ?? DEFAULT_SMTP_TLS,
  }
}

/** The platform's sender, for brands without their own. */
export default {
  smtp: account(),
  from: fromAddress(),
  fromName: env.get('MAIL_FROM_NAME') || null,
  dkim: dkim(),
  /** What SPF records must contain to allow mails of the account; null if that is not known. */
  spf: env.get('SMTP_SPF')?.trim() || null,
  /** Null if mails have no address of their own for reports. */
  bounceAddress: parseBounceAddress(env.get('BOUNCE_ADDRESS') ?? ''),

  /** Per SMTP account, and how many more while mails on all of these take long. */
  connections: 5,
  extraConnections: 3,
  /** Leaves one to mails of others while the server holds all of those that one has sent. */
  connectionsPerApplication: 4,
  /** How many more, while its mails take long, for those to domains that are prompt. */
  promptConnections: 2,
  /** After this time, the use of a connection counts half in the order of applications. */
  usageHalfLifeMs: 30_000,
  /** How long mails of an application to a domain count as slow after one that was. */
  slowForMs: 60_000,
  /** A mail that takes longer is slow; the second limit is for servers that are never quick. */
  slowMailMs: 1_000,
  slowestMailMs: 4_000,
  /** A domain with mails that take longer, while those to others do not, counts as slow. */
  longMailMs: 5_000,
  slowDomainForMs: 3_600_000,
  idleMs: 60_000,
  connectMs: 3_000,
  greetingMs: 3_000,
  /** Longer than a request, so that a mail that the server processes slowly is not sent twice. */
  socketTimeoutMs: 30_000,
  attempts: 3,
  backoffMs: 200,
  /** Time limits of a request that sends one notification, and of one that sends many. */
  singleBudgetMs: 10_000,
  bulkBudgetMs: 25_000,
}
