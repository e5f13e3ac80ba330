import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { revokeTokens, tokensOf } from '#app/auth/session/revoke_tokens'
import type { Caller } from '#app/auth/values/caller'
import { lockAccounts } from '#app/profiles/actions/lock_accounts'
import { listSessions } from '#app/panel/queries/list_sessions'

/**
 * Ends the sessions of a user, or the one with this id: here immediately, however long the provider
 * takes to revoke their tokens.
 * @returns the ids of those that ended
 */
export async function endSessions({ email, subject }: Caller, id?: number): Promise<number[]> {
  const ended = await transaction(async (trx) => {
    await lockAccounts([subject], trx)
    const sessions = await listSessions(subject, trx)
    const chosen = id === undefined ? sessions : sessions.filter((one) => one.id === id)
    const ids = chosen.map((session) => session.id)
    await trx.from('panel_sessions').whereIn('id', ids).delete()
    return chosen
  })
  if (ended.length === 0) return []
  const facts = { actor: email, sessions: ended.length }
  logSecurityEvent('panel_sessions_ended', 'Sessions of the admin panel were ended', facts)
  await revokeTokens(tokensOf(ended))
  return ended.map((session) => session.id)
}
