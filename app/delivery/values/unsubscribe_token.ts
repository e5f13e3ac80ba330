import { secrets } from '#core/secrets'
import { appUrl } from '#config/app'

const PURPOSE = 'delivery.unsubscribe'

export interface Unsubscription {
  userId: number
  typeId: number
}

/** The link works without a login, so it is signed. */
export function unsubscribeUrl(userId: number, typeId: number): string {
  const token = secrets.sign(`${userId}:${typeId}`, PURPOSE)
  return `${appUrl.replace(/\/$/, '')}/api/unsubscribe/${encodeURIComponent(token)}`
}

export function readUnsubscribeToken(token: string): Unsubscription | null {
  const content = secrets.unsign(token, PURPOSE)
  const [, userId, typeId] = /^(\d+):(\d+)$/.exec(content ?? '') ?? []
  return userId === undefined ? null : { userId: Number(userId), typeId: Number(typeId) }
}
