import type { HttpContext, HttpRequest } from '@adonisjs/core/http'
import { LRUCache } from 'lru-cache'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { mayWrite } from '#core/database/writing_nothing'
import { countFailure } from '#core/network/failed_authentication'
import PanelSession from '#app/auth/models/panel_session'
import { SessionEnded } from '#app/auth/session/exceptions'
import { freshTokens } from '#app/auth/session/refresh_tokens'
import { requireSameOrigin } from '#app/auth/session/require_same_origin'
import { hashSecret, readSessionSecret } from '#app/auth/session/session_cookie'

const SEEN_EVERY_MS = 60_000

/** Hashes that no session has or ever will have, because secrets are random. */
const unknownHashes = new LRUCache<string, true>({ max: 10_000 })

/** The session of a request with the cookie of the panel; null without the cookie. */
export async function findSession(request: HttpRequest): Promise<PanelSession | null> {
  const secret = readSessionSecret(request)
  if (secret === undefined) return null
  const session = await PanelSession.findBy({ secretHash: hashSecret(secret) })
  return session?.isCurrent ? session : null
}

/**
 * The credentials of a request without `Authorization` header: those of its session, if it has the
 * cookie (panel.md#requests-with-the-cookie).
 * @throws CrossSite, SessionEnded, UpstreamUnreachable
 */
export async function sessionCredentials(ctx: HttpContext) {
  const { request, response } = ctx
  const secret = readSessionSecret(request)
  if (secret === undefined) return undefined
  requireSameOrigin(request)
  const session = await requireSession(hashSecret(secret), ctx)
  const { accessToken } = await freshTokens(session, response.response)
  await recordUse(session)
  return { session, authorization: `Bearer ${accessToken}` }
}

/** The first request with a secret that no session has may be a guess. @throws SessionEnded */
async function requireSession(secretHash: string, ctx: HttpContext): Promise<PanelSession> {
  if (unknownHashes.has(secretHash)) throw new SessionEnded()
  const session = await PanelSession.findBy({ secretHash })
  if (session === null) {
    unknownHashes.set(secretHash, true)
    countFailure(ctx)
    throw new SessionEnded()
  }
  if (!session.isCurrent) throw new SessionEnded()
  return session
}

async function recordUse({ id, lastSeenAt }: PanelSession) {
  const now = DateTime.utc()
  if (now.diff(lastSeenAt).toMillis() < SEEN_EVERY_MS || !mayWrite()) return
  await PanelSession.query()
    .where({ id })
    .update({ lastSeenAt: toDatabaseTimestamp(now) })
}
