import webPush from 'web-push'
import env from '#start/env'
import { appUrl } from '#config/app'

/**
 * The key pair push services know this service by; null when there is none, outside production only.
 *
 * @throws Error when the keys are not VAPID keys
 */
function vapid() {
  const publicKey = env.get('VAPID_PUBLIC_KEY')
  const privateKey = env.get('VAPID_PRIVATE_KEY')
  if (!publicKey || !privateKey) return null
  const subject = env.get('VAPID_SUBJECT') || contact()
  try {
    webPush.getVapidHeaders(appUrl, subject, publicKey, privateKey, 'aes128gcm')
  } catch (cause) {
    throw new Error(`The VAPID settings cannot be used: ${(cause as Error).message}`, { cause })
  }
  return { subject, publicKey, privateKey }
}

/** Where push services complain when no one is named: at the service's own address. */
function contact() {
  const mailbox = env.get('MAIL_FROM') || 'no-reply@concierge.test'
  return appUrl.startsWith('https:') ? appUrl : `mailto:${mailbox}`
}

export default {
  vapid: vapid(),
  /** How long a push service keeps a message for a browser that is away. */
  ttlSeconds: 7 * 24 * 3600,
  /**
   * How many subscriptions of one person are sent to at a time: all of them, so that several push
   * services that hang take no longer than one.
   */
  parallel: 20,
}
