import { DateTime } from 'luxon'
import type { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { shortLine } from '#core/values/short_line'
import PanelSession from '#app/auth/models/panel_session'
import type { SessionTokens } from '#app/auth/session/provider_client'
import { revokeLater, tokensOf } from '#app/auth/session/revoke_tokens'
import { hashSecret, newSecret } from '#app/auth/session/session_cookie'
import type { Caller } from '#app/auth/values/caller'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { UserInactive } from '#app/profiles/exceptions'
import { SignInFailed } from '#app/panel/exceptions'
import panelConfig from '#config/panel'

const MAX_USER_AGENT_LENGTH = 512
/** An IPv6 address may have a zone of any length. */
const MAX_ADDRESS_LENGTH = 64

/**
 * Starts a session, and ends the one that the browser had before. If it cannot start, its tokens
 * are revoked.
 * @returns the secret for the cookie
 * @throws SignInFailed if the user has been erased in the meantime, UserInactive
 */
export async function startSession(
  { request, clientAddress }: HttpContext,
  { email, subject }: Caller,
  tokens: SessionTokens,
  browserHash: string
): Promise<string> {
  const secret = newSecret()
  const now = DateTime.utc()
  const ended = await transaction(async (trx) => {
    // Sessions of one account start one after the other, so that their limit holds.
    const user = await lockRecord(email, [subject], trx)
    if (!user) throw new SignInFailed({ detail: 'The user was erased during the sign-in' })
    if (!user.active) throw new UserInactive()
    const replaced = await PanelSession.query({ client: trx }).where({ browserHash })
    await PanelSession.create(
      {
        secretHash: hashSecret(secret),
        browserHash,
        email,
        subject,
        tokens: PanelSession.encrypt(tokens),
        version: 1,
        userAgent: shortLine(request.header('user-agent') ?? '', [], MAX_USER_AGENT_LENGTH) || null,
        address: clientAddress.slice(0, MAX_ADDRESS_LENGTH),
        lastSeenAt: now,
        expiresAt: now.plus({ hours: panelConfig.session.hours }),
      },
      { client: trx }
    )
    await deleteRows(replaced, trx)
    const surplus = await findSurplus(subject, trx)
    await deleteRows(surplus, trx)
    return [...replaced, ...surplus]
  }).catch((error: unknown) => {
    revokeLater([tokens])
    throw error
  })
  revokeLater(tokensOf(ended))
  return secret
}

async function findSurplus(subject: string, trx: TransactionClientContract) {
  const all = await PanelSession.query({ client: trx }).where({ subject }).orderBy('id', 'desc')
  return all.slice(panelConfig.session.perPerson)
}

async function deleteRows(sessions: PanelSession[], trx: TransactionClientContract) {
  const ids = sessions.map(({ id }) => id)
  await PanelSession.query({ client: trx }).whereIn('id', ids).delete()
}
