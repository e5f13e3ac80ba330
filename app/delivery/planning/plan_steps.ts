import type { Channel } from '#app/delivery/models/delivery'
import type {
  DeliveryStep,
  StepName,
  StepOutcome,
} from '#app/delivery/planning/delivery_explanation'
import type { DeliveryPlan, PlanInput } from '#app/delivery/planning/delivery_plan'
import { switchesOf } from '#app/notifications/values/switches'

/** Records what it considered, and narrows or postpones the plan. */
type TakeStep = (input: PlanInput, plan: DeliveryPlan) => void

const takeTypeStep: TakeStep = ({ type }, plan) => {
  const enabled = { email: type.emailEnabled, push: type.pushEnabled }
  keepChannels(plan, 'type', (channel) => ({
    isKept: enabled[channel],
    evidence: { enabled: enabled[channel] },
  }))
}

const takeUserStep: TakeStep = ({ active }, plan) => {
  if (active) return record(plan, 'user', 'passed')
  record(plan, 'user', 'stopped')
  stop(plan, 'NOTIFICATIONS_DISABLED: the user is deactivated')
  plan.inInbox = false
}

const takeNotificationsStep: TakeStep = ({ type, notificationsEnabled }, plan) => {
  const step = 'notifications'
  if (type.system) return record(plan, step, 'skipped')
  if (notificationsEnabled) return record(plan, step, 'passed')
  record(plan, step, 'stopped')
  stop(plan, 'NOTIFICATIONS_DISABLED')
  plan.inInbox = false
}

const takePreferenceStep: TakeStep = ({ type, preference }, plan) => {
  const isLocked = type.system || !type.userCanDisable
  const switches = switchesOf(type, preference)
  keepChannels(plan, 'preference', (channel) => ({
    isKept: switches[channel],
    evidence: { locked: isLocked, own: preference?.[channel] ?? null, used: switches[channel] },
  }))
}

const takeReachabilityStep: TakeStep = ({ reachable }, plan) => {
  keepChannels(plan, 'reachability', (channel) => ({ isKept: reachable[channel], evidence: {} }))
  if (plan.channels.length === 0) stop(plan, 'NO_CHANNEL')
}

const takeSuppressionStep: TakeStep = ({ type, suppressed }, plan) => {
  if (!plan.channels.includes('email')) return
  const evidence = { channel: 'email', reason: suppressed }
  if (suppressed === null) return record(plan, 'suppression', 'passed', evidence)
  if (type.system) return record(plan, 'suppression', 'skipped', evidence)
  record(plan, 'suppression', 'stopped', evidence)
  dropMail(plan)
  if (plan.channels.length === 0) stop(plan, 'RECIPIENT_SUPPRESSED')
}

const takeDigestStep: TakeStep = ({ type, digest }, plan) => {
  if (!plan.channels.includes('email')) return
  if (type.system) return record(plan, 'digest', 'skipped', { channel: 'email' })
  if (digest === null) {
    return record(plan, 'digest', 'passed', { channel: 'email', frequency: null })
  }
  const { frequency, dueAt } = digest
  const evidence = { channel: 'email', frequency, until: dueAt.toUTC().toISO() }
  record(plan, 'digest', 'deferred', evidence)
  dropMail(plan)
  plan.inDigest = true
  if (plan.channels.length === 0) plan.later = { until: dueAt, reason: 'DIGEST' }
}

const takeQuietHoursStep: TakeStep = ({ type, quietUntil }, plan) => {
  const step = 'quiet_hours'
  if (plan.channels.length === 0) return
  if (type.system || type.urgent) {
    return record(plan, step, 'skipped', { urgent: type.urgent })
  }
  if (quietUntil === null) return record(plan, step, 'passed', { until: null })
  const evidence = { until: quietUntil.toUTC().toISO() }
  record(plan, step, 'deferred', evidence)
  plan.later = { until: quietUntil, reason: 'QUIET_HOURS' }
}

/** In the order in which they decide. */
export const PLAN_STEPS: readonly TakeStep[] = [
  takeTypeStep,
  takeUserStep,
  takeNotificationsStep,
  takePreferenceStep,
  takeReachabilityStep,
  takeSuppressionStep,
  takeDigestStep,
  takeQuietHoursStep,
]

interface ChannelVerdict {
  isKept: boolean
  evidence: Record<string, unknown>
}

function keepChannels(
  plan: DeliveryPlan,
  step: StepName,
  judge: (channel: Channel) => ChannelVerdict
) {
  plan.channels = plan.channels.filter((channel) => {
    const { isKept, evidence } = judge(channel)
    record(plan, step, isKept ? 'passed' : 'stopped', { channel, ...evidence })
    return isKept
  })
}

function record(
  plan: DeliveryPlan,
  step: StepName,
  outcome: StepOutcome,
  evidence: DeliveryStep['evidence'] = {}
) {
  plan.steps.push({ step, outcome, evidence })
}

function stop(plan: DeliveryPlan, reason: string) {
  plan.channels = []
  plan.skipped = reason
}

function dropMail(plan: DeliveryPlan) {
  plan.channels = plan.channels.filter((channel) => channel !== 'email')
}
