import { isIP } from 'node:net'
import app from '@adonisjs/core/services/app'
import { type UrlAuthor, mayConnectTo } from '#core/network/address_policy'
import { isLoopbackHost } from '#core/network/loopback'

/**
 * Allows https URLs without credentials and, outside production, http URLs on the loopback. An
 * address must be public; those of names are checked when a connection is made.
 *
 * @returns as whose URL it is called; null if it is not allowed
 */
export function authorOfWebhookUrl(text: string): UrlAuthor | null {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return null
  if (url.protocol === 'http:') {
    return !app.inProduction && isLoopbackHost(url.hostname) ? 'operator' : null
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const isPublic = isIP(host) === 0 ? !isLoopbackHost(host) : mayConnectTo(host, 'untrusted')
  return url.protocol === 'https:' && isPublic ? 'untrusted' : null
}
