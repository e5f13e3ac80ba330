import { DateTime } from 'luxon'
import { CachedCall } from '#core/values/cached_call'
import { probeMailServer } from '#app/delivery/mail/probe_mail_server'
import { smtpFailure } from '#app/delivery/mail/smtp_failure'
import { cachedDiscovery } from '#app/identity_provider/cached_discovery'
import mailConfig from '#config/mail'
import operationsConfig from '#config/operations'

export interface Reachability {
  status: 'reachable' | 'unreachable' | 'not_configured'
  /** Null if it was not checked */
  checkedAt: DateTime | null
  error: string | null
}

const NOT_CONFIGURED: Reachability = { status: 'not_configured', checkedAt: null, error: null }

const mailServer = new CachedCall(
  () => reachabilityOf(probeMailServer(), (error) => smtpFailure(error).text),
  operationsConfig.smtpCheckMs
)

const provider = new CachedCall(
  () => reachabilityOf(cachedDiscovery.get(), () => 'the discovery document could not be fetched'),
  10_000
)

/** The mail server of the platform. */
export async function readMailServer(): Promise<Reachability> {
  return mailConfig.smtp === null ? NOT_CONFIGURED : mailServer.get()
}

export const readIdentityProvider = () => provider.get()

async function reachabilityOf(
  check: Promise<unknown>,
  describe: (error: unknown) => string
): Promise<Reachability> {
  try {
    await check
    return { status: 'reachable', checkedAt: DateTime.utc(), error: null }
  } catch (error) {
    return { status: 'unreachable', checkedAt: DateTime.utc(), error: describe(error) }
  }
}
