import { secrets } from '#core/secrets'
import { appUrl } from '#config/app'

const PURPOSE = 'delivery.unsubscribe'

/** Whom and which notification type an unsubscribe link is about. */
export interface Unsubscription {
  userId: number
  typeId: number
}

/** A link that works without a login: signed, so that it can be neither made up nor turned into another person's. */
export function unsubscribeUrl(userId: number, typeId: number): string {
  const token = secrets.sign(`${userId}:${typeId}`, PURPOSE)
  return `${appUrl.replace(/\/$/, '')}/api/unsubscribe/${encodeURIComponent(token)}`
}

/** Null for anything this service did not issue for this purpose. */
export function readUnsubscribeToken(token: string): Unsubscription | null {
  const content = secrets.unsign(token, PURPOSE)
  const [, userId, typeId] = /^(\d+):(\d+)$/.exec(content ?? '') ?? []
  return userId === undefined ? null : { userId: Number(userId), typeId: Number(typeId) }
}
