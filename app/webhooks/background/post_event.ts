import { outbound } from '#core/network/outbound'
import { OutboundError } from '#core/network/outbound_error'
import type { ClaimedDelivery } from '#app/webhooks/background/claim_deliveries'
import type { FailureReason } from '#app/webhooks/values/delivery_status'
import { signatureHeaders } from '#app/webhooks/values/signature'
import { authorOfWebhookUrl } from '#app/webhooks/values/webhook_url'
import type Webhook from '#app/webhooks/models/webhook'
import webhooksConfig from '#config/webhooks'

const GONE = 410
const REASONS = {
  connect: 'connect',
  timeout: 'timeout',
  address: 'address',
  too_large: 'connect',
} as const

export type AttemptResult =
  | { isDelivered: true; status: number }
  | { isDelivered: false; reason: FailureReason; status: number | null; isGone: boolean }

/** Makes one attempt. Only the status of the response counts, and redirects are not followed. */
export async function postEvent(
  { delivery, webhook }: ClaimedDelivery,
  signal: AbortSignal
): Promise<AttemptResult> {
  if (!webhook.enabled) return failed('disabled')
  const { signingSecrets } = webhook
  if (signingSecrets.length === 0) return failed('secret')
  const author = authorOfWebhookUrl(webhook.url)
  if (author === null) return failed('address')
  const body = delivery.content!
  const timestamp = Math.floor(Date.now() / 1_000)
  const message = { id: delivery.messageId, timestamp, body }
  try {
    const { status } = await outbound(webhook.url, {
      method: 'POST',
      author,
      owner: ownerOf(webhook),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Concierge-Webhooks/1',
        ...signatureHeaders(message, signingSecrets),
      },
      body,
      ignoreBody: true,
      timeoutMs: webhooksConfig.timeoutMs,
      signal,
    })
    if (status >= 200 && status <= 299) return { isDelivered: true, status }
    return { ...failed('status', status), isGone: status === GONE }
  } catch (error) {
    return failed(error instanceof OutboundError ? REASONS[error.reason] : 'connect')
  }
}

/** Applications take turns. */
export const ownerOf = ({ applicationId }: Webhook) => ({ group: applicationId })

const failed = (reason: FailureReason, status: number | null = null) => ({
  isDelivered: false as const,
  reason,
  status,
  isGone: false,
})
