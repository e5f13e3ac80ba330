import webPush from 'web-push'
import { OUTBOUND_TIMEOUT_MS, outbound } from '#core/network/outbound'
import { OutboundError } from '#core/network/outbound_error'
import type { Deadline } from '#core/values/deadline'
import { vapidAuthorization } from '#app/delivery/push/vapid'
import { authorOfEndpoint } from '#app/notifications/values/push_endpoint'
import type { PushTarget } from '#app/notifications/values/push_target'
import webPushConfig from '#config/web_push'

/** What the push service made of a message: taken, the browser is gone for good, or not taken this time. */
export type PushOutcome =
  | { kind: 'taken' }
  | { kind: 'gone' }
  | {
      kind: 'failed'
      error: string
      /** Whether a later attempt makes sense. */
      mayPass: boolean
    }

/** Encrypts a message for one browser and hands it to its push service (RFC 8030, 8188, 8291, 8292). */
export async function sendPush(
  subscription: PushTarget,
  payload: string,
  topic: string,
  deadline: Deadline
): Promise<PushOutcome> {
  const author = authorOfEndpoint(subscription.endpoint)
  if (author === null) return failed('the endpoint is not allowed', false)
  try {
    const { headers, body } = encrypted(subscription, payload, topic)
    const { status } = await outbound(subscription.endpoint, {
      method: 'POST',
      author,
      headers,
      body,
      // Only the status of a push service's answer matters.
      ignoreBody: true,
      timeoutMs: Math.min(OUTBOUND_TIMEOUT_MS, Math.ceil(deadline.left)),
    })
    if (status === 404 || status === 410) return { kind: 'gone' }
    if (status >= 200 && status <= 299) return { kind: 'taken' }
    return failed(`the push service answered ${status}`, status === 429 || status >= 500)
  } catch (error) {
    const reason = error instanceof OutboundError ? error.reason : 'unusable keys'
    const mayPass = reason === 'connect' || reason === 'timeout'
    return failed(`the push service could not be used (${reason})`, mayPass)
  }
}

const failed = (error: string, mayPass: boolean) => ({ kind: 'failed' as const, error, mayPass })

/** @throws Error when the browser's keys are not usable */
function encrypted({ endpoint, p256Dh, auth }: PushTarget, payload: string, topic: string) {
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh: p256Dh, auth } },
    payload,
    { TTL: webPushConfig.ttlSeconds, topic, contentEncoding: 'aes128gcm' }
  )
  const texts = Object.entries(headers)
    .filter(([name]) => name !== 'Content-Length')
    .map(([name, value]) => [name, String(value)])
  return {
    headers: { ...Object.fromEntries(texts), authorization: vapidAuthorization(endpoint) },
    body,
  }
}
