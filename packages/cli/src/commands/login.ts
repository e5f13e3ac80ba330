import { createConcierge, unwrap } from '@concierge/client'
import type { Command } from 'commander'
import { command } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { type Session, withSession } from '../session.ts'
import { profileName } from '../settings/profile.ts'
import { changeProfiles, readProfiles } from '../settings/profile_file.ts'
import { isReadableOnTheWay, serviceUrl } from '../settings/service_url.ts'
import { credential } from '../settings/settings.ts'
import { signInByDeviceCode } from '../sign_in/device_code.ts'
import type { Tokens } from '../sign_in/tokens.ts'
import { say, warn } from '../terminal/say.ts'

const DEFAULT_PROFILE = 'default'

interface Options {
  clientId: string
  scope: string
}

export function login(program: Command): void {
  command(program, 'login', 'Sign in, and remember it in a profile', [
    'concierge login --url https://concierge.example.com',
    'concierge login --url https://concierge.example.com --profile production --client-id 2937…',
    'some-vault read token | concierge login --url https://concierge.example.com --token -',
    '',
    'Shows an address and a code to confirm in any browser, on any machine. With --token no browser is',
    'needed. --internal-key and --check-key are saved as well.',
  ])
    .option('--client-id <id>', 'client of the identity provider for device codes', 'concierge-cli')
    .option(
      '--scope <scopes>',
      'what to ask the provider for',
      'openid profile email offline_access'
    )
    .action(
      withSession(async (session, options: Options) => {
        const { url, name } = target(session)
        const { token } = session.options
        const given = token === undefined ? undefined : credential('--token', token)
        const tokens = given ? { token: given } : await byDeviceCode(url, options)
        const email = await whose(url, tokens.token)
        const internalKey = credential('--internal-key', session.options.internalKey)
        const checkKey = credential('--check-key', session.options.checkKey)
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
        say(`Signed in to ${url} as ${email}`)
        if (session.options.output !== 'table') session.print({ profile: name, url, email })
      })
    )
}

/** Falls back to the address of the profile. */
function target({ options }: Session) {
  const { current, all } = readProfiles()
  const name = profileName(options.profile ?? current ?? DEFAULT_PROFILE)
  const address = options.url ?? (process.env.CONCIERGE_URL || undefined) ?? all.get(name)?.url
  if (address === undefined) {
    throw new Failure('Say where Concierge is: --url', EXIT.usage)
  }
  const url = serviceUrl(address, '--url')
  if (isReadableOnTheWay(url)) warn(`what you send to ${url} can be read on the way`)
  return { url, name }
}

async function byDeviceCode(url: string, { clientId, scope }: Options) {
  const { api } = createConcierge({ url })
  const discovered = (await unwrap(api.GET('/api/idp/discovery'))) as Record<string, unknown>
  const endpoint = (field: string) => {
    const value = discovered[field]
    if (typeof value === 'string' && /^https?:\/\//.test(value)) return value
    const hint = 'Sign in with a token: concierge login --token -'
    throw new Failure('The identity provider knows no device codes', EXIT.refused, hint)
  }
  const authorization = endpoint('device_authorization_endpoint')
  const tokenEndpoint = endpoint('token_endpoint')
  const endpoints = { authorization, token: tokenEndpoint }
  const tokens: Tokens = await signInByDeviceCode(endpoints, clientId, scope)
  return { ...tokens, tokenEndpoint, clientId }
}

/** @throws ConciergeProblem when the service rejects the token */
async function whose(url: string, token: string): Promise<string> {
  const { api } = createConcierge({ url, token })
  return (await unwrap(api.GET('/api/profile/me'))).data.email
}
