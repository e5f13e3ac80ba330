import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { printable } from '../terminal/printable.ts'
import { say, styled } from '../terminal/say.ts'
import { OAuthError, type Tokens, postForm, parseTokens } from './tokens.ts'

export interface DeviceEndpoints {
  authorization: string
  token: string
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const DEFAULT_INTERVAL = 5
const MAX_INTERVAL = 60

/**
 * Signs in through a browser on any device (RFC 8628).
 *
 * @throws Failure when the request is declined or expires
 */
export async function signInByDeviceCode(
  { authorization, token }: DeviceEndpoints,
  clientId: string,
  scope: string
): Promise<Tokens> {
  const device = await postForm(authorization, { client_id: clientId, scope }).catch(
    throwSignInFailure
  )
  const code = String(device.user_code)
  const address = String(device.verification_uri_complete ?? device.verification_uri)
  say(`Open ${styled('bold', printable(address))}`)
  say(`and confirm the code ${styled('bold', printable(code))}. Press Ctrl-C to cancel.`)
  const deadline = Date.now() + Number(device.expires_in ?? 600) * 1000
  const fields = { grant_type: GRANT, client_id: clientId, device_code: String(device.device_code) }
  let interval = pollingInterval(device.interval)
  while (Date.now() < deadline) {
    await pause(interval * 1000)
    const result = await postForm(token, fields).catch((error: unknown) => error)
    if (!(result instanceof Error)) return parseTokens(result as Record<string, unknown>)
    if (!(result instanceof OAuthError)) throw result
    if (result.error === 'slow_down') interval += 5
    else if (result.error !== 'authorization_pending') throwSignInFailure(result)
  }
  throw new Failure('The code has expired', EXIT.refused, 'Try again: concierge login')
}

/**
 * The pause between two requests for the tokens, in seconds (RFC 8628, section 3.2).
 *
 * @param given what the provider asks for
 */
function pollingInterval(given: unknown): number {
  const seconds = Number(given)
  return seconds > 0 ? Math.min(Math.max(seconds, 1), MAX_INTERVAL) : DEFAULT_INTERVAL
}

function throwSignInFailure(error: unknown): never {
  if (!(error instanceof OAuthError)) throw error
  const hint = error.error === 'invalid_client' ? 'Check --client-id' : undefined
  throw new Failure(`Sign-in failed: ${error.error}: ${error.message}`, EXIT.refused, hint)
}
