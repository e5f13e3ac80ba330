import webPush from 'web-push'
import env from '#start/env'
import { appUrl } from '#config/app'

/** Null without keys, outside production only. @throws Error if the keys are invalid */
function vapid() {
  const publicKey = env.get('VAPID_PUBLIC_KEY')
  const privateKey = env.get('VAPID_PRIVATE_KEY')
  if (!publicKey || !privateKey) return null
  const subject = env.get('VAPID_SUBJECT') || contact()
  try {
    webPush.getVapidHeaders(appUrl, subject, publicKey, privateKey, 'aes128gcm')
  } catch (cause) {
    throw new Error(`The VAPID settings are not valid: ${(cause as Error).message}`, { cause })
  }
  return { subject, publicKey, privateKey }
}

/** The contact for push services. */
function contact() {
  const mailbox = env.get('MAIL_FROM') || 'no-reply@concierge.test'
  return appUrl.startsWith('https:') ? appUrl : `mailto:${mailbox}`
}

export default {
  vapid: vapid(),
  /** How long a push service keeps a message for an offline browser. */
  ttlSeconds: 7 * 24 * 3600,
  /** All subscriptions of a user, so that hanging push services delay a send only once. */
  parallel: 20,
}
