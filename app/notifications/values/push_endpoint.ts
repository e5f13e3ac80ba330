import { isIP } from 'node:net'
import app from '@adonisjs/core/services/app'
import { mayConnectTo, type UrlAuthor } from '#core/network/address_policy'
import { isLoopbackHost } from '#core/network/loopback'

// Lower ports belong to well-known services other than HTTP.
const FIRST_UNRESERVED_PORT = 1_024

/** Allows public https URLs, and loopback URLs outside production. Null for all others. */
export function authorOfEndpoint(endpoint: string): UrlAuthor | null {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return null
  if (!app.inProduction && isLoopbackHost(url.hostname) && /^https?:$/.test(url.protocol)) {
    return 'operator'
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAllowedHost = isIP(host) === 0 || mayConnectTo(host, 'untrusted')
  const isAllowedPort = url.port === '' || Number(url.port) >= FIRST_UNRESERVED_PORT
  return url.protocol === 'https:' && isAllowedHost && isAllowedPort ? 'untrusted' : null
}
