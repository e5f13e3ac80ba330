export interface QuietWindow {
  /** The days on which it begins, from 1 for Monday */
  days: number[]
  /** Local times as `HH:MM`. If `to` is earlier, the window ends on the next day. */
  from: string
  to: string
}

/** When a user wants no mail and no push messages (notifications.md#quiet-hours). */
export interface QuietHours {
  enabled: boolean
  /** An IANA time zone */
  timeZone: string
  windows: QuietWindow[]
}
