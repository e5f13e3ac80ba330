import { secrets } from '#core/secrets'
import type { NotificationRequest } from '#app/delivery/values/notification_request'

const PURPOSE = 'delivery.pending_request'

/** What a message with a `sendAt` is rendered from when it falls due. */
export interface PendingRequest {
  userId: number
  applicationId: number
  request: Pick<NotificationRequest, 'type' | 'template' | 'data' | 'locale'>
  /** Stays masked. Missing in requests that earlier versions stored */
  sensitiveVariables?: string[]
}

export function encryptRequest(request: PendingRequest): string {
  return secrets.encrypt(JSON.stringify(request), PURPOSE)
}

/** Null if it was encrypted with an unknown key. */
export function decryptRequest(sealed: string): PendingRequest | null {
  const json = secrets.decrypt(sealed, PURPOSE)
  return json === null ? null : (JSON.parse(json) as PendingRequest)
}
