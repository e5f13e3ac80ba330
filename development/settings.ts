import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { developmentIssuer, developmentMailbox } from '#config/development'
import { reachableHost } from '#core/network/loopback'
import { projectPath } from '#core/process/root'

export const DEVELOPMENT_CLIENT_ID = 'concierge-development'

export interface DevelopmentSettings {
  host: string
  port: number
  serviceUrl: string
  issuer: string
  /** False if another provider is configured. */
  embeddedProvider: boolean
  /** The provider's key; its state is kept beside it. */
  keysFile: string
  audience: string[]
  /** Null if a real SMTP server is configured. */
  mailbox: ReturnType<typeof developmentMailbox> | null
}

/** Reads the environment and `.env`; the environment takes precedence. */
export function developmentSettings(): DevelopmentSettings {
  const env = { ...readEnvFile(), ...definedEnvironment() }
  const host = env.HOST || '127.0.0.1'
  const port = Number(env.PORT || 3333)
  const folder = env.DEVELOPMENT_FOLDER || join(projectPath(), 'tmp/development')
  return {
    host,
    port,
    serviceUrl: env.APP_URL || `http://${reachableHost(host)}:${port}`,
    issuer: env.IDP_ISSUER || developmentIssuer(host, port),
    embeddedProvider: !env.IDP_ISSUER,
    keysFile: join(folder, 'identity_provider_keys.json'),
    audience: [DEVELOPMENT_CLIENT_ID],
    mailbox: env.SMTP_HOST ? null : developmentMailbox(host, port),
  }
}

function readEnvFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(projectPath(), '.env'), 'utf8'))
  } catch {
    return {}
  }
}

function definedEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
}
