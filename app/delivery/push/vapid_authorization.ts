import { LRUCache } from 'lru-cache'
import webPush from 'web-push'
import webPushConfig from '#config/web_push'

const LIFETIME_SECONDS = 12 * 3_600

const headers = new LRUCache<string, string>({
  max: 1_000,
  ttl: (LIFETIME_SECONDS - 3_600) * 1_000,
})

/** Expects configured VAPID keys (RFC 8292). */
export function vapidAuthorization(endpoint: string): string {
  const { origin } = new URL(endpoint)
  const known = headers.get(origin)
  if (known) return known
  const { subject, publicKey, privateKey } = webPushConfig.vapid!
  const expires = Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS
  const { Authorization } = webPush.getVapidHeaders(
    origin,
    subject,
    publicKey,
    privateKey,
    'aes128gcm',
    expires
  )
  headers.set(origin, Authorization)
  return Authorization
}
