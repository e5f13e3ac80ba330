import type { DateTime } from 'luxon'
import type { Channel } from '#app/delivery/models/delivery'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

export type DigestFrequency = 'hourly' | 'daily' | 'weekly'

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
  /** Null if the user gets each mail at once */
  digest: { frequency: DigestFrequency; dueAt: DateTime } | null
  /** The first instant after the quiet hours of the user. Null outside them. */
  quietUntil: DateTime | null
}

export type PlanStepName =
  | 'type'
  | 'user'
  | 'notifications'
  | 'preference'
  | 'reachability'
  | 'suppression'
  | 'digest'
  | 'quiet_hours'

/** One thing that was considered. Steps about one channel name it in their evidence. */
export interface PlanStep {
  step: PlanStepName
  /** `stopped` for the channel or the whole message; `skipped` if the step does not apply */
  outcome: 'passed' | 'stopped' | 'deferred' | 'skipped'
  /** A sentence for people */
  detail: string
  /** Small, and without personal data of others */
  evidence: Record<string, unknown>
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
  steps: PlanStep[]
}
