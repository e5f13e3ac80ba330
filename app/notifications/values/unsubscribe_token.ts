import { secrets } from '#core/secrets'
import type NotificationType from '#app/notifications/models/notification_type'
import type User from '#app/profiles/models/user'
import { appUrl } from '#config/app'

const PURPOSE = 'delivery.unsubscribe'
const NAMES_PURPOSE = 'delivery.unsubscribe_names'

type NamedUser = Pick<User, 'id' | 'email'>
type NamedType = Pick<NotificationType, 'id' | 'code'>

export interface Unsubscription {
  userId: number
  typeId: number
  /** Null in links of earlier versions */
  names: string | null
}

type Switches = Pick<NotificationType, 'userCanDisable' | 'selfServiceEnabled' | 'system'>

/** Whether users can switch mails of a type off and on (delivery.md#unsubscribe-headers). */
export function canUnsubscribe({ userCanDisable, selfServiceEnabled, system }: Switches): boolean {
  return userCanDisable && selfServiceEnabled && !system
}

/**
 * The link works without a login, so it is signed. After a restored backup, the ids can be those of
 * another user or type.
 */
export function unsubscribeUrl(user: NamedUser, type: NamedType): string {
  const names = secrets.fingerprint(namesOf(user, type), NAMES_PURPOSE)
  return linkWith(secrets.sign(`${user.id}:${type.id}:${names}`, PURPOSE))
}

/** Whether the link was made for this user and this type. */
export function isUnsubscriptionOf({ names }: Unsubscription, user: NamedUser, type: NamedType) {
  return names === null || secrets.isFingerprintOf(namesOf(user, type), NAMES_PURPOSE, names)
}

const namesOf = ({ email }: NamedUser, { code }: NamedType) => `${email} ${code}`

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

/** Null if users cannot switch off the mails of the type. */
export function unsubscribeUrlFor(user: NamedUser, type: Switches & NamedType): string | null {
  return canUnsubscribe(type) ? unsubscribeUrl(user, type) : null
}

export function readUnsubscribeToken(token: string): Unsubscription | null {
  const content = secrets.unsign(token, PURPOSE)
  const [, userId, typeId, names = null] = /^(\d+):(\d+)(?::(\S+))?$/.exec(content ?? '') ?? []
  return userId === undefined ? null : { userId: Number(userId), typeId: Number(typeId), names }
}
