import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { DateTime } from 'luxon'
import * as oidc from 'openid-client'
import logger from '@adonisjs/core/services/logger'
import { toDatabaseTimestamp } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { Deadline } from '#core/values/deadline'
import PanelSession from '#app/auth/models/panel_session'
import { SessionEnded } from '#app/auth/session/exceptions'
import {
  type SessionTokens,
  isGrantRefusal,
  isRefusal,
  providerConfiguration,
  sessionTokens,
} from '#app/auth/session/provider_client'
import { revokeLater } from '#app/auth/session/revoke_tokens'
import { tokenVerifier } from '#app/auth/verifier'

/** Tokens that end sooner are replaced. */
const EARLY_MS = 60_000
/** Longer than discovery and the request for new tokens. */
const CLAIM_MS = 15_000
const WAIT_MS = 10_000
const CHECK_EVERY_MS = 100
/** After a failure, before the provider is asked again. */
const PAUSE_MS = 10_000

/** Sessions that the provider refuses to this process: others may have the panel's new secret. */
const refusedHere = new LRUCache<number, true>({ max: 10_000, ttl: PAUSE_MS })

/** What requests of this process wait for, by session. */
const renewals = new Map<number, Promise<SessionTokens>>()

/** Who waits for tokens, and may disconnect in the meantime. */
type Client = ServerResponse

/**
 * Tokens that are valid. They are replaced once for all processes, because a provider may take a
 * second use of a refresh token for theft (panel.md#tokens-of-a-session).
 * @throws SessionEnded, UpstreamUnreachable
 */
export async function freshTokens(session: PanelSession, client: Client): Promise<SessionTokens> {
  const tokens = session.readTokens()
  if (tokens === null) throw new SessionEnded()
  const millisecondsLeft = tokens.expiresAt - Date.now()
  if (millisecondsLeft > EARLY_MS) return tokens
  if (millisecondsLeft <= 0) {
    if (isPaused(session)) throw unreachable()
    return unlessGone(client, () => renewOnce(session))
  }
  if (tokens.refreshToken !== null && !isPaused(session) && !isBeingRenewed(session)) {
    renewOnce(session).catch(logFailure)
  }
  return tokens
}

/** A client that has disconnected holds nothing until the provider responds. */
async function unlessGone<T>(client: Client, work: () => Promise<T>): Promise<T> {
  if (client.closed) throw unreachable()
  const waiting = new AbortController()
  const gone = once(client, 'close', waiting).then(() => {
    throw unreachable()
  })
  try {
    return await Promise.race([work(), gone])
  } finally {
    waiting.abort()
  }
}

const isPaused = ({ id, renewalPausedUntil }: PanelSession) =>
  refusedHere.has(id) || isAhead(renewalPausedUntil)
const isBeingRenewed = ({ refreshingUntil }: PanelSession) => isAhead(refreshingUntil)
const isAhead = (moment: DateTime | null) => moment !== null && moment > DateTime.utc()

/** Runs in the background. Requests that wait for the tokens get the error. */
function logFailure(error: unknown) {
  if (error instanceof Problem) return
  logger.error({ error: describeError(error) }, 'The tokens of a session could not be renewed')
}

/** However many requests wait, one of them asks the database. */
function renewOnce(session: PanelSession): Promise<SessionTokens> {
  const running = renewals.get(session.id)
  if (running) return running
  const renewal = renew(session).finally(() => renewals.delete(session.id))
  renewals.set(session.id, renewal)
  return renewal
}

async function renew(session: PanelSession): Promise<SessionTokens> {
  const deadline = new Deadline(WAIT_MS)
  let current: PanelSession | null = session
  while (current) {
    const tokens = current.readTokens()
    if (tokens === null) break
    const isNew = current.version !== session.version
    if (tokens.expiresAt - Date.now() > (isNew ? 0 : EARLY_MS)) return tokens
    if (isPaused(current) || deadline.hasPassed) throw unreachable()
    if (!isBeingRenewed(current) && (await claim(current))) return replace(current, tokens)
    await pause(CHECK_EVERY_MS)
    current = await PanelSession.find(session.id)
  }
  throw new SessionEnded()
}

/** Whether this process is the one that replaces the tokens of this version. */
async function claim({ id, version }: PanelSession): Promise<boolean> {
  const now = DateTime.utc()
  const at = toDatabaseTimestamp(now)
  const claimed = await PanelSession.query()
    .where({ id, version })
    .where((free) => void free.whereNull('refreshingUntil').orWhere('refreshingUntil', '<', at))
    .where((due) => void due.whereNull('renewalPausedUntil').orWhere('renewalPausedUntil', '<', at))
    .update({ refreshingUntil: toDatabaseTimestamp(now.plus({ milliseconds: CLAIM_MS })) })
  return Number(claimed) === 1
}

async function replace(session: PanelSession, former: SessionTokens): Promise<SessionTokens> {
  const { id, version, subject } = session
  const ours = () => PanelSession.query().where({ id, version })
  try {
    const tokens = await requestTokens(former)
    const holder = await identify(tokens)
    if (holder !== null && holder.subject !== subject) throw new SessionEnded()
    const kept = await ours().update({
      tokens: PanelSession.encrypt(tokens),
      email: holder?.email ?? session.email,
      version: version + 1,
      refreshingUntil: null,
    })
    if (Number(kept) > 0 || (await PanelSession.find(id))) return tokens
    // It was ended in the meantime, with the former refresh token.
    revokeLater([tokens])
    throw new SessionEnded()
  } catch (error) {
    if (error instanceof SessionEnded) {
      await ours().delete()
      throw error
    }
    if (isRefusal(error)) refusedHere.set(id, true)
    const pausedUntil = DateTime.utc().plus({ milliseconds: PAUSE_MS })
    await ours().update({
      refreshingUntil: null,
      renewalPausedUntil: isRefusal(error) ? null : toDatabaseTimestamp(pausedUntil),
    })
    throw unreachable(error)
  }
}

/** @throws SessionEnded if the provider has ended the grant */
async function requestTokens(former: SessionTokens): Promise<SessionTokens> {
  if (former.refreshToken === null) throw new SessionEnded()
  try {
    const configuration = await providerConfiguration()
    return sessionTokens(await oidc.refreshTokenGrant(configuration, former.refreshToken), former)
  } catch (error) {
    if (isRefusal(error)) {
      logger.warn({ error: describeError(error) }, 'The provider refused to renew a session')
    }
    throw isGrantRefusal(error) ? new SessionEnded() : error
  }
}

/** Whose tokens these are, as each request with them will find; null if it will refuse them. */
async function identify({ accessToken }: SessionTokens) {
  try {
    return await tokenVerifier.verify(`Bearer ${accessToken}`)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function unreachable(cause?: unknown) {
  const detail = 'The identity provider did not renew the session'
  return new UpstreamUnreachable({ detail, cause })
}
