import type { HttpRequest } from '@adonisjs/core/http'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'
import { Networks } from '#core/network/networks'

const trustedProxies = new Networks(commaSeparated(env.get('TRUSTED_PROXIES')))

/** Whether `address` is a proxy whose `X-Forwarded-For` counts (`TRUSTED_PROXIES`; none by default). */
export function isTrustedProxy(address: string): boolean {
  return trustedProxies.includes(address)
}

/**
 * The caller's address for rules that rest on it (decisions 2.4): the socket's, or the one a trusted proxy
 * reports. Null when the request was forwarded by somebody we do not trust, or in a way we cannot follow.
 */
export function verifiableAddress(request: HttpRequest): string | null {
  const { headers, socket } = request.request
  const forwardedFor = headers['x-forwarded-for']
  const forwarded = headers.forwarded !== undefined || forwardedFor !== undefined
  const peer = socket.remoteAddress ?? ''
  if (!forwarded) return peer
  if (!isTrustedProxy(peer) || forwardedFor === undefined) return null
  return request.ip()
}
