import type { AudienceRequest } from '#app/broadcasts/values/audience'

/** See broadcasts.md#broadcast-request. */
export interface BroadcastRequest {
  type: string
  template?: string
  data?: Record<string, unknown>
  locale?: string
  audience: AudienceRequest
  ratePerSecond?: number
  /** An ISO timestamp; without it, the broadcast starts immediately. */
  scheduledAt?: string
}

export interface BroadcastAuthor {
  /** Null for an operator at the command line. */
  email: string | null
  mayReachEveryone: boolean
  /**
   * Whether the author can reach addresses without a user record, even if the application cannot.
   */
  mayReachOutsiders: boolean
}

/** Null stands for the default. What is absent stays as it is. */
export type BroadcastChanges = Partial<
  Omit<BroadcastRequest, 'template' | 'locale' | 'ratePerSecond'> & {
    template: string | null
    locale: string | null
    ratePerSecond: number | null
  }
>
