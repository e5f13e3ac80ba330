/** A message, as the API returns it. */
export interface InboxItem {
  id: number
  appCode: string
  appName: string
  type: string
  subject: string
  body: { text: string | null; html: string | null }
  url: string | null
  status: string
  statusReason: string | null
  locale: string
  readAt: string | null
  archivedAt: string | null
  snoozedUntil: string | null
  createdAt: string
  /** When it appeared in the inbox: the order of the list. */
  shownAt: string
  payload: Record<string, unknown>
}

/** What a user chose for one type of message. */
export interface Preference {
  notificationTypeId: number
  code: string
  name: string
  description: string | null
  emailEnabled: boolean
  pushEnabled: boolean
  userCanDisable: boolean
  email: boolean
  push: boolean
  digest: Digest
  /** What the user can choose as `digest`. */
  digestChoices: Digest[]
}

export type Choice = Partial<Record<'email' | 'push', boolean> & { digest: string }>

/** How often mails arrive in one digest; `off` for each mail immediately. */
export type Digest = 'off' | 'hourly' | 'daily' | 'weekly'

/** When no mail and no push messages arrive, in local times such as `22:00`. */
export interface QuietHours {
  enabled: boolean
  timeZone: string
  windows: { days: number[]; from: string; to: string }[]
}

/**
 * Returns an access token of the signed-in user. It is called for the first request, and again when
 * the service refuses the token: `renew` is then true, and a remembered token must not be returned.
 */
export type GetToken = (options: { renew: boolean }) => string | Promise<string>

export type View = 'inbox' | 'unread' | 'snoozed' | 'archived'
