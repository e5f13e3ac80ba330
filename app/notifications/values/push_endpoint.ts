import { isIP } from 'node:net'
import app from '@adonisjs/core/services/app'
import { mayConnectTo, type UrlAuthor } from '#core/network/address_policy'
import { isLoopbackHost } from '#core/network/loopback'

/** Ports below this are used by services other than HTTP. */
const FIRST_OTHER_PORT = 1_024

/**
 * On whose word an endpoint may be called: a browser chose it, so only the public internet over
 * https; outside production also a push service on this machine. Null when it may not be called at
 * all.
 */
export function authorOfEndpoint(endpoint: string): UrlAuthor | null {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return null
  if (!app.inProduction && isLoopbackHost(url.hostname) && /^https?:$/.test(url.protocol)) {
    return 'operator'
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isReachable = isIP(host) === 0 || mayConnectTo(host, 'stranger')
  const isUsualPort = url.port === '' || Number(url.port) >= FIRST_OTHER_PORT
  return url.protocol === 'https:' && isReachable && isUsualPort ? 'stranger' : null
}
