import { setTimeout as pause } from 'node:timers/promises'
import * as oidc from 'openid-client'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import type PanelSession from '#app/auth/models/panel_session'
import {
  type SessionTokens,
  isRefusal,
  providerConfiguration,
} from '#app/auth/session/provider_client'

const NOT_REVOKED = 'A refresh token of the panel was not revoked'
const AT_A_TIME = 5
/** For all sessions together. */
const BUDGET_MS = 5_000

/**
 * Revokes the refresh tokens of sessions that have ended, as far as the provider responds in time.
 * Access tokens expire soon anyway.
 * @returns whether the provider responded
 */
export async function revokeTokens(ended: SessionTokens[]): Promise<boolean> {
  const tokens = ended.flatMap(({ refreshToken }) => refreshToken ?? [])
  if (tokens.length === 0) return true
  const patience = new AbortController()
  const tooLong = pause(BUDGET_MS, false, patience).catch(() => false)
  const hasAnswered = await Promise.race([revokeAll(tokens, new Deadline(BUDGET_MS)), tooLong])
  patience.abort()
  return hasAnswered
}

/** For sessions that ended with something else, which does not wait. */
export function revokeLater(ended: SessionTokens[]) {
  void revokeTokens(ended)
}

/** Of those whose tokens can be decrypted. */
export const tokensOf = (sessions: PanelSession[]): SessionTokens[] =>
  sessions.flatMap((session) => session.readTokens() ?? [])

async function revokeAll(tokens: string[], deadline: Deadline): Promise<boolean> {
  try {
    const configuration = await providerConfiguration()
    if (configuration.serverMetadata().revocation_endpoint === undefined) return true
    const answered = await inParallel(tokens, AT_A_TIME, (token) =>
      deadline.hasPassed ? Promise.resolve(false) : revoke(configuration, token)
    )
    return answered.every(Boolean)
  } catch (error) {
    logger.warn({ error: describeError(error) }, NOT_REVOKED)
    return false
  }
}

async function revoke(configuration: oidc.Configuration, token: string): Promise<boolean> {
  try {
    await oidc.tokenRevocation(configuration, token, { token_type_hint: 'refresh_token' })
    return true
  } catch (error) {
    logger.warn({ error: describeError(error) }, NOT_REVOKED)
    return isRefusal(error)
  }
}
