import { createHmac } from 'node:crypto'
import { keyOf } from '#app/webhooks/values/webhook_secret'

export interface SignedMessage {
  id: string
  /** In seconds since 1970 */
  timestamp: number
  body: string
}

/**
 * The headers of a message by Standard Webhooks, with a signature by each secret.
 * @see https://www.standardwebhooks.com
 */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secrets: string[]) {
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${digest.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
