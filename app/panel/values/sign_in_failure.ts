import * as oidc from 'openid-client'
import { OutboundError } from '#core/network/outbound_error'
import { Problem } from '#core/exceptions/problem'
import { DatabaseUnavailable, InternalError, UpstreamUnreachable } from '#core/exceptions/problems'
import { isDatabaseUnavailable } from '#core/database/errors'
import { isGrantRefusal, isRefusal } from '#app/auth/session/provider_client'
import { SignInFailed } from '#app/panel/exceptions'

/** What the page says to a user who cannot sign in. */
export function signInFailure(error: unknown): Problem {
  if (error instanceof oidc.AuthorizationResponseError) {
    const detail =
      error.error === 'access_denied'
        ? 'The identity provider denied the sign-in'
        : 'The identity provider refused the sign-in'
    return new SignInFailed({ detail, details: { reason: 'denied' }, cause: error })
  }
  if (isGrantRefusal(error)) {
    const detail = 'The identity provider refused the code'
    return new SignInFailed({ detail, details: { reason: 'code' }, cause: error })
  }
  if (isRefusal(error)) {
    const detail = 'The identity provider refused the credentials of the panel'
    return new SignInFailed({ detail, details: { reason: 'client' }, cause: error })
  }
  if (isUnreachable(error)) {
    const detail = 'The identity provider cannot be reached'
    return new UpstreamUnreachable({ detail, cause: error })
  }
  if (error instanceof oidc.ClientError) {
    const detail = 'The response of the identity provider is invalid'
    return new SignInFailed({ detail, details: { reason: 'response' }, cause: error })
  }
  if (error instanceof Problem) return error
  return isDatabaseUnavailable(error)
    ? new DatabaseUnavailable({ cause: error })
    : new InternalError({ cause: error })
}

function isUnreachable(error: unknown): boolean {
  return error instanceof OutboundError || (error instanceof Error && isUnreachable(error.cause))
}
