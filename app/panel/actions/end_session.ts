import * as oidc from 'openid-client'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { logSecurityEvent } from '#core/security_events'
import type PanelSession from '#app/auth/models/panel_session'
import { providerConfiguration } from '#app/auth/session/provider_client'
import { revokeTokens } from '#app/auth/session/revoke_tokens'
import panelConfig from '#config/panel'

/**
 * Ends a session here, and revokes its refresh token.
 * @returns where the browser ends its session at the provider; null if that is not possible
 */
export async function endSession(session: PanelSession): Promise<string | null> {
  await session.delete()
  const facts = { actor: session.email, sessions: 1 }
  logSecurityEvent('panel_sessions_ended', 'A user signed out of the admin panel', facts)
  const tokens = session.readTokens()
  if (tokens === null) return null
  const isReachable = await revokeTokens([tokens])
  return isReachable ? endSessionUrl(tokens.idToken) : null
}

async function endSessionUrl(idToken: string): Promise<string | null> {
  try {
    const configuration = await providerConfiguration()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null
    return oidc.buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: panelConfig.signedOutUrl,
    }).href
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'A session could not be ended at the provider')
    return null
  }
}
