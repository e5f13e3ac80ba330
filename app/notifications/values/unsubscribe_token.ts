import { secrets } from '#core/secrets'
import type NotificationType from '#app/notifications/models/notification_type'
import type User from '#app/profiles/models/user'
import { appUrl } from '#config/app'

const PURPOSE = 'delivery.unsubscribe'

export interface Unsubscription {
  userId: number
  typeId: number
}

type Switches = Pick<NotificationType, 'userCanDisable' | 'selfServiceEnabled' | 'system'>

/** Whether users can switch mails of a type off and on (delivery.md#unsubscribe-headers). */
export function canUnsubscribe({ userCanDisable, selfServiceEnabled, system }: Switches): boolean {
  return userCanDisable && selfServiceEnabled && !system
}

/** The link works without a login, so it is signed. */
export function unsubscribeUrl(userId: number, typeId: number): string {
  return linkWith(secrets.sign(`${userId}:${typeId}`, PURPOSE))
}

/** A link that does nothing, for others to look at. */
export function exampleUnsubscribeUrlFor(type: Switches): string | null {
  return canUnsubscribe(type) ? linkWith('example') : null
}

const PATH = '/api/unsubscribe/'

const linkWith = (token: string) =>
  `${appUrl.replace(/\/$/, '')}${PATH}${encodeURIComponent(token)}`

const TOKEN_IN_LINK = new RegExp(`${PATH}([\\w-]+\\.([\\w-]+))`, 'g')

/** The tokens in links of a text, whichever key signed them, and their signatures. */
export function unsubscribeTokensIn(text: string): string[] {
  return [...text.matchAll(TOKEN_IN_LINK)].flatMap(([, token, signature]) => [token, signature])
}

type OptionalType = Switches & Pick<NotificationType, 'id'>

/** Null if users cannot switch off the mails of the type. */
export function unsubscribeUrlFor(user: Pick<User, 'id'>, type: OptionalType): string | null {
  return canUnsubscribe(type) ? unsubscribeUrl(user.id, type.id) : null
}

export function readUnsubscribeToken(token: string): Unsubscription | null {
  const content = secrets.unsign(token, PURPOSE)
  const [, userId, typeId] = /^(\d+):(\d+)$/.exec(content ?? '') ?? []
  return userId === undefined ? null : { userId: Number(userId), typeId: Number(typeId) }
}
