import webPush from 'web-push'
import { OUTBOUND_TIMEOUT_MS, outbound } from '#core/network/outbound'
import { OutboundError } from '#core/network/outbound_error'
import type { Owner } from '#core/values/fair_queue'
import type { Deadline } from '#core/values/deadline'
import { vapidAuthorization } from '#app/delivery/push/vapid_authorization'
import { authorOfEndpoint } from '#app/notifications/values/push_endpoint'
import type { PushTarget } from '#app/notifications/values/push_target'
import webPushConfig from '#config/web_push'

/**
 * `expired` means that the subscription no longer exists. `status` is that of the push service's
 * response; null without one.
 */
export type PushOutcome = { status: number | null } & (
  | { kind: 'accepted' }
  | { kind: 'expired' }
  | { kind: 'failed'; error: string; isTemporary: boolean }
)

export interface PushRequest {
  topic: string
  /** For whom it is sent, see `OutboundRequest` */
  owner: Owner
  deadline: Deadline
}

/** Encrypts a message for a browser and sends it (RFC 8030, 8188, 8291, 8292). */
export async function sendPush(
  subscription: PushTarget,
  payload: string,
  { topic, owner, deadline }: PushRequest
): Promise<PushOutcome> {
  const author = authorOfEndpoint(subscription.endpoint)
  if (author === null) return failed('the endpoint is not allowed', false)
  try {
    const { headers, body } = encrypt(subscription, payload, topic)
    const { status } = await outbound(subscription.endpoint, {
      method: 'POST',
      author,
      owner,
      headers,
      body,
      ignoreBody: true,
      timeoutMs: Math.min(OUTBOUND_TIMEOUT_MS, Math.ceil(deadline.remainingMs)),
    })
    if (status === 404 || status === 410) return { kind: 'expired', status }
    if (status >= 200 && status <= 299) return { kind: 'accepted', status }
    return failed(
      `the push service responded with ${status}`,
      status === 429 || status >= 500,
      status
    )
  } catch (error) {
    const reason = error instanceof OutboundError ? error.reason : 'unusable keys'
    const isTemporary = reason === 'connect' || reason === 'timeout'
    return failed(`the push service could not be used (${reason})`, isTemporary)
  }
}

const failed = (error: string, isTemporary: boolean, status: number | null = null) => ({
  kind: 'failed' as const,
  status,
  error,
  isTemporary,
})

function encrypt({ endpoint, p256Dh, auth }: PushTarget, payload: string, topic: string) {
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
