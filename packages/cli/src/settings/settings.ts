import { readFileSync } from 'node:fs'
import { usageFailure } from '../errors.ts'
import { warn } from '../terminal/say.ts'
import { type Profile, parseProfileName } from './profile.ts'
import { isReadableByOthers, profilePath, readProfiles } from './profile_file.ts'
import { parseServiceUrl } from './service_url.ts'

export interface GlobalOptions {
  url?: string
  token?: string
  internalKey?: string
  checkKey?: string
  reason?: string
  profile?: string
  output: 'table' | 'json' | 'yaml'
  yes?: boolean
  /** Seconds. */
  timeout: number
}

export interface Settings {
  url: string
  /** From an option or the environment. Takes precedence over the profile's token. */
  token: string | undefined
  internalKey: string | undefined
  checkKey: string | undefined
  /** The selected profile, if it belongs to this service. */
  profile: { name: string; content: Profile } | undefined
}

/**
 * Options take precedence over the environment, and that over the profile. A profile chosen by
 * `--profile` counts as an option.
 *
 * @throws Failure when no service is configured
 */
export function resolveSettings(options: GlobalOptions): Settings {
  const chosen = chosenProfile(options.profile)
  const environmentSettings = environment()
  const env = options.profile === undefined ? environmentSettings : NOTHING
  const address = options.url ?? env.url ?? chosen?.content.url
  if (address === undefined) {
    const hint = 'Sign in with: concierge login --url https://concierge.example.com'
    throw usageFailure('The address of Concierge is required: --url or CONCIERGE_URL', hint)
  }
  const url = parseServiceUrl(address, options.url ? '--url' : 'CONCIERGE_URL')
  // Credentials are sent only to the service they belong to.
  const profile = chosen?.content.url === url ? chosen : undefined
  // The same applies to the environment, if it names a service.
  const fallback = environmentSettings.url === undefined ? environmentSettings : NOTHING
  return {
    url,
    profile,
    token: readCredential(
      '--token',
      options.token ?? env.token ?? (profile?.content.token ? undefined : fallback.token)
    ),
    internalKey: readCredential(
      '--internal-key',
      options.internalKey ?? env.internalKey ?? profile?.content.internalKey ?? fallback.internalKey
    ),
    checkKey: readCredential(
      '--check-key',
      options.checkKey ?? env.checkKey ?? profile?.content.checkKey ?? fallback.checkKey
    ),
  }
}

function chosenProfile(asked: string | undefined): Settings['profile'] {
  const { current, all } = readProfiles()
  if (all.size > 0 && isReadableByOthers()) {
    warn(`others can read ${profilePath()}; run: chmod 600 '${profilePath()}'`)
  }
  const name = asked === undefined ? current : parseProfileName(asked)
  const content = name === null ? undefined : all.get(name)
  if (content && name !== null) return { name, content }
  if (asked === undefined) return undefined
  throw usageFailure(`No profile is named ${asked}`, 'See: concierge profiles list')
}

const NOTHING: Partial<ReturnType<typeof environment>> = {}

function environment() {
  const read = (name: string) => process.env[name] || undefined
  return {
    url: read('CONCIERGE_URL'),
    token: read('CONCIERGE_TOKEN'),
    internalKey: read('CONCIERGE_INTERNAL_KEY'),
    checkKey: read('CONCIERGE_CHECK_KEY'),
  }
}

/** Reads `-` from stdin, since arguments are visible in process lists. */
export function readCredential(what: string, given: string | undefined): string | undefined {
  const text = given === '-' ? readFileSync(0, 'utf8').trim() : given
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text
  throw usageFailure(`The value of ${what} contains invalid characters`)
}
