import { createConcierge, unwrap } from '@concierge/client'
import type { Command } from 'commander'
import { command } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { type Session, withSession } from '../session.ts'
import { parseProfileName } from '../settings/profile.ts'
import { changeProfiles, readProfiles } from '../settings/profile_file.ts'
import { isUnencrypted, parseServiceUrl } from '../settings/service_url.ts'
import { readCredential } from '../settings/settings.ts'
import { signInByDeviceCode } from '../sign_in/device_code.ts'
import type { Tokens } from '../sign_in/tokens.ts'
import { printable } from '../terminal/printable.ts'
import { say, warn } from '../terminal/say.ts'

const DEFAULT_PROFILE = 'default'

interface Options {
  clientId: string
  scope: string
}

export function login(program: Command): void {
  command(program, 'login', 'Sign in and save the credentials in a profile', [
    'concierge login --url https://concierge.example.com',
    'concierge login --url https://concierge.example.com --profile production --client-id 2937…',
    'some-vault read token | concierge login --url https://concierge.example.com --token -',
    '',
    'Shows an address and a code to confirm in a browser on any device. With --token, no browser is needed.',
    'Also saves --internal-key and --check-key.',
  ])
    .option(
      '--client-id <id>',
      'client at the identity provider that may use device codes',
      'concierge-cli'
    )
    .option('--scope <scopes>', 'requested scopes', 'openid profile email offline_access')
    .action(
      withSession(async (session, options: Options) => {
        const { url, name } = resolveTarget(session)
        const { token } = session.options
        const given = token === undefined ? undefined : readCredential('--token', token)
        const tokens = given ? { token: given } : await signIn(url, options)
        const email = await readEmail(url, tokens.token)
        const internalKey = readCredential('--internal-key', session.options.internalKey)
        const checkKey = readCredential('--check-key', session.options.checkKey)
        changeProfiles((profiles) => {
          const before = profiles.all.get(name)
          const kept = before?.url === url ? before : undefined
          const keys = {
            internalKey: internalKey ?? kept?.internalKey,
            checkKey: checkKey ?? kept?.checkKey,
          }
          profiles.all.set(name, { url, ...tokens, ...keys })
          profiles.current = name
        })
        say(`Signed in to ${url} as ${printable(email)}`)
        if (session.options.output !== 'table') session.print({ profile: name, url, email })
      })
    )
}

/** Falls back to the address of the profile. */
function resolveTarget({ options }: Session) {
  const { current, all } = readProfiles()
  const name = parseProfileName(options.profile ?? current ?? DEFAULT_PROFILE)
  const address = options.url ?? (process.env.CONCIERGE_URL || undefined) ?? all.get(name)?.url
  if (address === undefined) {
    throw new Failure('The address of Concierge is required: --url', EXIT.usage)
  }
  const url = parseServiceUrl(address, '--url')
  if (isUnencrypted(url)) warn(`the connection to ${url} is not encrypted`)
  return { url, name }
}

async function signIn(url: string, { clientId, scope }: Options) {
  const { api } = createConcierge({ url })
  const discovered = (await unwrap(api.GET('/api/idp/discovery'))) as Record<string, unknown>
  const endpoint = (field: string) => {
    const value = discovered[field]
    if (typeof value === 'string' && /^https?:\/\//.test(value)) return value
    const hint = 'Sign in with a token: concierge login --token -'
    throw new Failure('The identity provider does not support device codes', EXIT.refused, hint)
  }
  const authorization = endpoint('device_authorization_endpoint')
  const tokenEndpoint = endpoint('token_endpoint')
  const endpoints = { authorization, token: tokenEndpoint }
  const tokens: Tokens = await signInByDeviceCode(endpoints, clientId, scope)
  return { ...tokens, tokenEndpoint, clientId }
}

/** @throws ConciergeProblem when the service rejects the token */
async function readEmail(url: string, token: string): Promise<string> {
  const { api } = createConcierge({ url, token })
  return (await unwrap(api.GET('/api/profile/me'))).data.email
}
