import { createHmac, randomInt } from 'node:crypto'
import { sendBody } from '#tests/helpers/send'
import { TARGET_KEY } from '#tests/world/prepare'

/** An id as the provider gives them: digits, more than a number holds. */
export const uniqueId = () => `3${String(randomInt(2 ** 47)).padStart(17, '0')}`

export const ORGANISATION = '300000000000000001'

export interface ProviderEvent {
  aggregateID: string
  event_type: string
  created_at: string
  sequence?: number | string
  event_payload?: unknown
  [field: string]: unknown
}

/** The document the provider posts for an event (zitadel.md#event-format). */
export function providerEvent(event: ProviderEvent) {
  return {
    aggregateType: 'user',
    resourceOwner: ORGANISATION,
    instanceID: '290000000000000001',
    version: 'v2',
    sequence: 1,
    userID: '300000000000000099',
    ...event,
  }
}

export interface Signing {
  key?: string
  header?: string
  /** Seconds from now at which it was signed. */
  at?: number
}

/** `t=…,v1=…` over the exact bytes. */
export function signatureOf(body: string | Buffer, { key = TARGET_KEY, at = 0 }: Signing = {}) {
  const t = Math.floor(Date.now() / 1000) + at
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')}`
}

/** Posts bytes as the provider does: signed, and without the webhook's secret. */
export function postSigned(
  body: string,
  { header = 'ZITADEL-Signature', ...signing }: Signing = {}
) {
  return sendBody('POST', '/api/idp/webhook', body, { [header]: signatureOf(body, signing) })
}

/** Posts an event; answers whether it was handled. */
export async function report(event: ProviderEvent): Promise<boolean> {
  // The provider's encoder escapes these three, so that parsing and writing again gives other bytes.
  const escapes: Record<string, string> = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' }
  const text = JSON.stringify(providerEvent(event)).replace(/[&<>]/g, (sign) => escapes[sign])
  const response = await postSigned(text)
  const answer = (await response.json()) as { data?: { handled: boolean } }
  if (response.status !== 200) throw new Error(JSON.stringify(answer))
  return answer.data!.handled
}

/** A person at the provider, whose events report themselves, each a second after the one before. */
export function atProvider(aggregateID = uniqueId()) {
  let sequence = 0
  const start = Date.now() - 3_600_000
  const next = (event_type: string, event_payload?: unknown): ProviderEvent => ({
    aggregateID,
    event_type,
    created_at: new Date(start + ++sequence * 1_000).toISOString(),
    sequence,
    event_payload,
  })
  return {
    id: aggregateID,
    next,
    report: (type: string, payload?: unknown) => report(next(type, payload)),
  }
}
