import type { Channel } from '#app/delivery/models/delivery'

/** What is considered, in the order in which it decides (delivery.md#explanation-steps). */
export type StepName =
  | 'application'
  | 'type'
  | 'send_at'
  | 'template'
  | 'variables'
  | 'user'
  | 'notifications'
  | 'preference'
  | 'reachability'
  | 'suppression'
  | 'digest'
  | 'quiet_hours'
  | 'locale'
  | 'brand'
  | 'rendering'
  | 'sender'

/** `stopped` for the channel or the whole message; `skipped` if the step does not apply */
export type StepOutcome = 'passed' | 'stopped' | 'deferred' | 'skipped'

/** One thing that was considered. Steps about one channel name it in their evidence. */
export interface DeliveryStep {
  step: StepName
  outcome: StepOutcome
  /** Small JSON, without the values of variables and without personal data of others */
  evidence: Record<string, unknown>
}

export type Decision = 'send' | 'schedule' | 'skip' | 'fail' | 'refuse'

/** Why a message is delivered as it is, or not (delivery.md#explanations). */
export interface DeliveryExplanation {
  decision: Decision
  /** The status reason, unless it is sent at once */
  reason: string | null
  /** That deliver it, now or later */
  channels: Channel[]
  /** As an ISO timestamp */
  scheduledFor: string | null
  inInbox: boolean
  steps: DeliveryStep[]
}
