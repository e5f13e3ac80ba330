import { randomInt } from 'node:crypto'
import { serviceUrl } from '#tests/helpers/send'
import { signatureOf } from '#tests/helpers/signature'
import { TARGET_KEY } from '#tests/world/prepare'

/** An id like the provider's, larger than a JavaScript number can represent. */
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

/** See zitadel.md#event-format. */
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
  /** In seconds from now. */
  at?: number
  /** Another process of the service. */
  service?: string
}

export function eventSignature(body: string | Buffer, { key = TARGET_KEY, at = 0 }: Signing = {}) {
  return signatureOf(body, { key, at: Math.floor(Date.now() / 1000) + at })
}

/** Posts a signed body without the webhook secret. */
export function postSigned(
  body: string,
  { header = 'ZITADEL-Signature', service = serviceUrl(), ...signing }: Signing = {}
) {
  return fetch(`${service}/api/idp/webhook`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      // A kept connection may have been closed while a test was waiting for something else.
      'connection': 'close',
      [header]: eventSignature(body, signing),
    },
  })
}

/** Posts an event and returns whether it was handled. */
export async function postProviderEvent(
  event: ProviderEvent,
  signing: Signing = {}
): Promise<boolean> {
  // The provider escapes these, so that parsing and serialising again yields other bytes.
  const escapes: Record<string, string> = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' }
  const text = JSON.stringify(providerEvent(event)).replace(/[&<>]/g, (sign) => escapes[sign])
  const response = await postSigned(text, signing)
  const body = (await response.json()) as { data?: { handled: boolean } }
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return body.data!.handled
}

/** A user of the provider. Each event is a second after the previous one. */
export function createProviderUser(aggregateID = uniqueId(), signing: Signing = {}) {
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
    report: (type: string, payload?: unknown) => postProviderEvent(next(type, payload), signing),
  }
}
