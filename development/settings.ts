import { join } from 'node:path'
import { developmentInboxPort, developmentIssuer, developmentMailbox } from '#config/development'
import { reachableHost } from '#core/network/loopback'
import { projectPath } from '#core/process/root'
import { commaSeparated } from '#core/values/comma_separated'
import { normalizeEmail } from '#core/values/email'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/accounts'

export const DEVELOPMENT_CLIENT_ID = 'concierge-development'
export const DEVELOPMENT_PANEL_CLIENT_ID = 'concierge-panel'

export const DEFAULT_FOLDER = join(projectPath(), 'tmp/development')

export interface DevelopmentSettings {
  host: string
  port: number
  serviceUrl: string
  issuer: string
  /** False if another provider is configured. */
  embeddedProvider: boolean
  folder: string
  /** The provider's key; its state is kept beside it. */
  keysFile: string
  audience: string[]
  /** Not empty. */
  superAdmins: string[]
  /** Null if a real SMTP server is configured. */
  mailbox: ReturnType<typeof developmentMailbox> | null
  /** Of the page with the inbox component; null if another provider is configured. */
  inboxPort: number | null
}

/** Reads the environment, which by then contains `.env`. */
export function developmentSettings(): DevelopmentSettings {
  const { env } = process
  const host = env.HOST || '127.0.0.1'
  const port = Number(env.PORT || 3333)
  const folder = env.DEVELOPMENT_FOLDER || DEFAULT_FOLDER
  const audience = commaSeparated(env.IDP_AUDIENCE)
  const superAdmins = commaSeparated(env.SUPER_ADMINS).flatMap((text) => normalizeEmail(text) ?? [])
  return {
    host,
    port,
    serviceUrl: env.APP_URL || `http://${reachableHost(host)}:${port}`,
    issuer: env.IDP_ISSUER || developmentIssuer(host, port),
    embeddedProvider: !env.IDP_ISSUER,
    folder,
    keysFile: join(folder, 'identity_provider_keys.json'),
    audience: audience.length > 0 ? audience : [DEVELOPMENT_CLIENT_ID],
    superAdmins: superAdmins.length > 0 ? superAdmins : [DEVELOPMENT_ACCOUNTS[0].email],
    mailbox: env.SMTP_HOST ? null : developmentMailbox(host, port),
    inboxPort: env.IDP_ISSUER ? null : developmentInboxPort(port),
  }
}
