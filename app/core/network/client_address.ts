import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'
import { Networks } from '#core/network/networks'

const trustedProxies = new Networks(commaSeparated(env.get('TRUSTED_PROXIES')))

/** Headers that proxies add, besides `x-forwarded-*`. */
const PROXY_HEADERS = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'cdn-loop',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-azure-clientip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-envoy-external-address',
  'cloudfront-viewer-address',
  'do-connecting-ip',
])

const HOP_WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/i

export function isTrustedProxy(address: string): boolean {
  return trustedProxies.includes(address)
}

export function wasForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) {
    if (name.startsWith('x-forwarded-') || PROXY_HEADERS.has(name)) return true
  }
  return false
}

/** For logs and limits. Empty if the connection is already closed. */
export function clientAddress(request: IncomingMessage): string {
  const peer = plainAddress(request.socket.remoteAddress)
  return reportedAddress(request, peer) ?? peer
}

/** For access rules. Null if the request came through a proxy and the client cannot be verified. */
export function verifiableAddress(request: IncomingMessage): string | null {
  const peer = plainAddress(request.socket.remoteAddress)
  return wasForwarded(request) ? reportedAddress(request, peer) : peer
}

/** The key for per-client limits: an IPv4 address or an IPv6 /64 network. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}

/** The last address in `X-Forwarded-For` that is not a trusted proxy. */
function reportedAddress({ headers }: IncomingMessage, peer: string): string | null {
  const forwardedFor = headers['x-forwarded-for']
  if (typeof forwardedFor !== 'string' || !isTrustedProxy(peer)) return null
  const hops = forwardedFor.split(',')
  let address = ''
  while (hops.length > 0) {
    address = plainAddress(withoutPort(hops.pop()!.trim()))
    if (isIP(address) === 0) return null
    if (!isTrustedProxy(address)) break
  }
  return address
}

/** Some proxies add the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, inBrackets, beforePort] = HOP_WITH_PORT.exec(hop) ?? []
  return inBrackets ?? beforePort ?? hop
}

/** Converts IPv4-mapped IPv6 to IPv4. Empty for a closed connection. */
export function plainAddress(address = ''): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}
