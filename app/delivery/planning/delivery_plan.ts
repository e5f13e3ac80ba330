import type { DateTime } from 'luxon'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryStep } from '#app/delivery/planning/delivery_explanation'
import type { DigestFrequency } from '#app/notifications/values/digest_frequency'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

/** Everything that a plan depends on, as it is now. */
export interface PlanInput {
  type: {
    system: boolean
    urgent: boolean
    userCanDisable: boolean
    emailEnabled: boolean
    pushEnabled: boolean
    defaultEmail: boolean
    defaultPush: boolean
  }
  active: boolean
  notificationsEnabled: boolean
  preference: { email: boolean; push: boolean } | null
  reachable: Record<Channel, boolean>
  /** Null if the address gets mail */
  suppressed: SuppressionReason | null
  /** Null if the user gets each mail immediately */
  digest: { frequency: DigestFrequency; dueAt: DateTime } | null
  /** The first instant after the quiet hours of the user. Null outside them. */
  quietUntil: DateTime | null
}

export interface DeliveryPlan {
  /** What delivers the message itself, now or `later`; a mail that goes into a digest is not one */
  channels: Channel[]
  /** When `channels`, or the digest if there are none, deliver it. Null for now. */
  later: { until: DateTime; reason: 'QUIET_HOURS' | 'DIGEST' } | null
  /** Whether the mail is part of the next digest instead */
  inDigest: boolean
  /** The status reason if the message is not delivered at all (notifications.md#status-reasons) */
  skipped: string | null
  inInbox: boolean
  /** In the order in which they decided; nothing follows a step that stopped the whole message */
  steps: DeliveryStep[]
}
