import type { Channel } from '#app/delivery/models/delivery'
import type {
  DeliveryPlan,
  PlanInput,
  PlanStep,
  PlanStepName,
} from '#app/delivery/planning/delivery_plan'
import { switchesOf } from '#app/notifications/values/switches'

/** Records what it considered, and narrows or postpones the plan. */
type TakeStep = (input: PlanInput, plan: DeliveryPlan) => void

const LABELS: Record<Channel, string> = { email: 'E-mail', push: 'Push' }

const takeTypeStep: TakeStep = ({ type }, plan) => {
  const enabled = { email: type.emailEnabled, push: type.pushEnabled }
  keepChannels(plan, 'type', (channel) => ({
    isKept: enabled[channel],
    detail: `${LABELS[channel]} is switched ${onOrOff(enabled[channel])} for the type.`,
    evidence: { enabled: enabled[channel] },
  }))
}

const takeUserStep: TakeStep = ({ active }, plan) => {
  if (active) return record(plan, 'user', 'passed', 'The user is active.')
  record(plan, 'user', 'stopped', 'The user is deactivated.')
  stop(plan, 'NOTIFICATIONS_DISABLED: the user is deactivated')
  plan.inInbox = false
}

const takeNotificationsStep: TakeStep = ({ type, notificationsEnabled }, plan) => {
  const step = 'notifications'
  if (type.system) {
    return record(plan, step, 'skipped', 'Users cannot switch off system types.')
  }
  if (notificationsEnabled) {
    return record(plan, step, 'passed', 'Notifications of the application are switched on.')
  }
  record(plan, step, 'stopped', 'The user has switched off notifications of the application.')
  stop(plan, 'NOTIFICATIONS_DISABLED')
  plan.inInbox = false
}

const takePreferenceStep: TakeStep = ({ type, preference }, plan) => {
  const isLocked = type.system || !type.userCanDisable
  const switches = switchesOf(type, preference)
  const isOwn = !isLocked && preference !== null
  const whose = isOwn ? 'The user has switched' : 'By default, the type has'
  keepChannels(plan, 'preference', (channel) => ({
    isKept: switches[channel],
    detail:
      `${whose} ${LABELS[channel].toLowerCase()} ${onOrOff(switches[channel])}` +
      (isLocked ? ', and users cannot change that.' : '.'),
    evidence: { locked: isLocked, own: preference?.[channel] ?? null, used: switches[channel] },
  }))
}

const takeReachabilityStep: TakeStep = ({ reachable }, plan) => {
  const texts = {
    email: { yes: 'The user has an address.', no: 'No mail can be sent.' },
    push: {
      yes: 'A browser of the user is subscribed.',
      no: 'No browser of the user is subscribed, or the service has no VAPID keys.',
    },
  }
  keepChannels(plan, 'reachability', (channel) => ({
    isKept: reachable[channel],
    detail: texts[channel][reachable[channel] ? 'yes' : 'no'],
    evidence: {},
  }))
  if (plan.channels.length === 0) stop(plan, 'NO_CHANNEL')
}

const takeSuppressionStep: TakeStep = ({ type, suppressed }, plan) => {
  if (!plan.channels.includes('email')) return
  const evidence = { channel: 'email', reason: suppressed }
  if (suppressed === null) {
    return record(plan, 'suppression', 'passed', 'The address is not suppressed.', evidence)
  }
  if (type.system) {
    const detail = 'The address is suppressed, but system types are tried all the same.'
    return record(plan, 'suppression', 'skipped', detail, evidence)
  }
  record(plan, 'suppression', 'stopped', 'The address is suppressed: it gets no mail.', evidence)
  dropMail(plan)
  if (plan.channels.length === 0) stop(plan, 'RECIPIENT_SUPPRESSED')
}

const takeDigestStep: TakeStep = ({ type, digest }, plan) => {
  if (!plan.channels.includes('email')) return
  if (type.system) {
    const detail = 'Mails of system types are never part of a digest.'
    return record(plan, 'digest', 'skipped', detail, { channel: 'email' })
  }
  if (digest === null) {
    const evidence = { channel: 'email', frequency: null }
    return record(plan, 'digest', 'passed', 'The user gets each mail at once.', evidence)
  }
  const { frequency, dueAt } = digest
  const detail = `The mail is part of the user's ${frequency} digest.`
  const evidence = { channel: 'email', frequency, until: dueAt.toUTC().toISO() }
  record(plan, 'digest', 'deferred', detail, evidence)
  dropMail(plan)
  plan.inDigest = true
  if (plan.channels.length === 0) plan.later = { until: dueAt, reason: 'DIGEST' }
}

const takeQuietHoursStep: TakeStep = ({ type, quietUntil }, plan) => {
  const step = 'quiet_hours'
  if (plan.channels.length === 0) return
  if (type.system) {
    return record(plan, step, 'skipped', 'System types ignore quiet hours.')
  }
  if (type.urgent) {
    return record(plan, step, 'skipped', 'The type is urgent: it ignores quiet hours.')
  }
  if (quietUntil === null) {
    return record(plan, step, 'passed', 'The user has no quiet hours now.', { until: null })
  }
  const evidence = { until: quietUntil.toUTC().toISO() }
  record(plan, step, 'deferred', 'The user has quiet hours: e-mail and push wait.', evidence)
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
  detail: string
  evidence: Record<string, unknown>
}

function keepChannels(
  plan: DeliveryPlan,
  step: PlanStepName,
  judge: (channel: Channel) => ChannelVerdict
) {
  plan.channels = plan.channels.filter((channel) => {
    const { isKept, detail, evidence } = judge(channel)
    record(plan, step, isKept ? 'passed' : 'stopped', detail, { channel, ...evidence })
    return isKept
  })
}

function record(
  plan: DeliveryPlan,
  step: PlanStepName,
  outcome: PlanStep['outcome'],
  detail: string,
  evidence: Record<string, unknown> = {}
) {
  plan.steps.push({ step, outcome, detail, evidence })
}

function stop(plan: DeliveryPlan, reason: string) {
  plan.channels = []
  plan.skipped = reason
}

function dropMail(plan: DeliveryPlan) {
  plan.channels = plan.channels.filter((channel) => channel !== 'email')
}

const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off')
