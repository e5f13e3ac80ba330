import type { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { Refusal, ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { NO_SERVER, senderOf, smtpOwnerOf } from '#app/delivery/mail/sender'
import type { DeliveryExplanation, DeliveryStep } from '#app/delivery/planning/delivery_explanation'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import {
  refusalReason,
  refusalSteps,
  resolutionSteps,
} from '#app/delivery/planning/resolution_steps'
import {
  CHANNEL_ERRORS,
  type DeliveryOutcome,
  reasonCode,
} from '#app/delivery/values/delivery_outcome'
import type { ComposedMail } from '#app/notifications/actions/compose_message'
import { missingMessageFields } from '#app/notifications/values/missing_message_fields'

export interface Composition<Message extends ComposedMail = ComposedMail> {
  message: Message | null
  /** The status reason without a message */
  error: string | null
  triedLocales: string[]
}

/** Of a message that was planned and rendered. */
export function explainPlanned(
  resolved: ResolvedRequest,
  details: RecipientDetails,
  plan: DeliveryPlan,
  composition: Composition
): DeliveryExplanation {
  const steps = [...resolutionSteps(resolved), ...plan.steps]
  if (plan.skipped === null || plan.inInbox) {
    steps.push(...messageSteps(resolved, details, plan, composition))
  }
  const { skipped, channels, later, inInbox } = plan
  const common = { inInbox, steps, scheduledFor: null }
  if (skipped !== null) return { ...common, decision: 'skip', reason: skipped, channels: [] }
  const { error } = composition
  if (error !== null) return { ...common, decision: 'fail', reason: error, channels: [] }
  if (later === null) {
    if (onlyMails(plan) && smtpOwnerOf(details.brand) === null) {
      const noServer = `${CHANNEL_ERRORS.email}: ${NO_SERVER}`
      return { ...common, decision: 'fail', reason: noServer, channels: [] }
    }
    return { ...common, decision: 'send', reason: null, channels }
  }
  const { reason, until } = later
  return { ...common, decision: 'schedule', reason, channels, scheduledFor: isoTimestamp(until) }
}

const onlyMails = ({ channels }: DeliveryPlan) => channels.join() === 'email'

/** Of a message that has no plan (yet). */
export function explainUnplanned(
  resolved: ResolvedRequest,
  { status, statusReason, scheduledFor }: DeliveryOutcome & { scheduledFor?: DateTime }
): DeliveryExplanation {
  const isFailed = status === 'failed'
  const steps = resolutionSteps(resolved)
  if (isFailed) steps.push(renderingStep(resolved, statusReason))
  return {
    decision: isFailed ? 'fail' : scheduledFor ? 'schedule' : 'skip',
    reason: statusReason,
    channels: [],
    scheduledFor: isoTimestamp(scheduledFor ?? null),
    inInbox: false,
    steps,
  }
}

/** Of a send that is refused with a problem, or of a scheduled one that fails with it. */
export function explainRefusal(refused: Refusal, decision: 'refuse' | 'fail'): DeliveryExplanation {
  const steps = refusalSteps(refused)
  const reason = refusalReason(refused.problem)
  return { decision, reason, channels: [], scheduledFor: null, inInbox: false, steps }
}

function messageSteps(
  resolved: ResolvedRequest,
  details: RecipientDetails,
  plan: DeliveryPlan,
  { message, error, triedLocales }: Composition
): DeliveryStep[] {
  const { user, brand } = details
  const why = user.brandId === brand.id ? 'user' : 'default'
  const steps: DeliveryStep[] = []
  if (triedLocales.length > 0) steps.push(localeStep(resolved, details, message, triedLocales))
  steps.push(
    { step: 'brand', outcome: 'passed', evidence: { brand: brand.slug, why } },
    renderingStep(resolved, error)
  )
  const isMailed = plan.inDigest || plan.channels.includes('email')
  return error === null && isMailed ? [...steps, senderStep(resolved, details)] : steps
}

function localeStep(
  { request }: ResolvedRequest,
  { user }: RecipientDetails,
  message: ComposedMail | null,
  tried: string[]
): DeliveryStep {
  const from = request.locale ? 'request' : user.locale ? 'user' : 'default'
  const wanted = request.locale ?? user.locale ?? 'en'
  const evidence = { wanted, from, tried, used: message?.locale ?? null }
  return { step: 'locale', outcome: 'passed', evidence }
}

function renderingStep({ request, template }: ResolvedRequest, error: string | null): DeliveryStep {
  const step = 'rendering'
  if (error === null) return { step, outcome: 'passed', evidence: {} }
  const code = reasonCode(error)
  const missing = template === null ? missingMessageFields(request.data ?? {}) : []
  const evidence = { code, ...(missing.length > 0 && { missing }) }
  return { step, outcome: 'stopped', evidence }
}

function senderStep({ type }: ResolvedRequest, { brand }: RecipientDetails): DeliveryStep {
  const { address, name } = senderOf(brand, type!)
  const account = smtpOwnerOf(brand)
  const outcome = account === null ? 'stopped' : 'passed'
  return { step: 'sender', outcome, evidence: { channel: 'email', address, name, account } }
}
