import type { Problem } from '#core/exceptions/problem'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { FoundRequest, Refusal, ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { DeliveryStep, StepName } from '#app/delivery/planning/delivery_explanation'

/** The step at which a send is refused with a problem (notifications.md#sending-order). */
const STEP_OF_PROBLEM: Record<string, StepName> = {
  APPLICATION_NOT_FOUND: 'application',
  SYSTEM_TYPE: 'type',
  VALIDATION_ERROR: 'send_at',
  TEMPLATE_REQUIRED: 'template',
  UNKNOWN_TEMPLATE: 'template',
  MISSING_TEMPLATE_VARIABLES: 'variables',
}

/** How a request was looked up that was not refused. */
export function resolutionSteps(resolved: ResolvedRequest): DeliveryStep[] {
  const steps = foundSteps(resolved)
  if (resolved.template === null) return steps
  return [...steps, { step: 'variables', outcome: 'passed', evidence: { missing: [] } }]
}

/** Rethrows a problem that is not about the message, such as one of access. */
export function refusalSteps({ problem, found }: Refusal): DeliveryStep[] {
  const step = STEP_OF_PROBLEM[problem.kind.code]
  if (step === undefined) throw problem
  const evidence = { ...subjectOf(step, found), code: problem.kind.code, ...problem.details }
  return [...foundSteps(found), { step, outcome: 'stopped', evidence }]
}

export const refusalReason = ({ kind, message }: Problem) => `${kind.code}: ${message}`

function foundSteps(found: FoundRequest): DeliveryStep[] {
  const { request, application, type, sendAt, template } = found
  const steps: DeliveryStep[] = []
  if (!application) return steps
  const { code } = application
  steps.push({ step: 'application', outcome: 'passed', evidence: { application: code } })
  if (type === null) {
    const evidence = { type: request.type, code: 'UNKNOWN_TYPE' }
    steps.push({ step: 'type', outcome: 'stopped', evidence })
  }
  if (!type) return steps
  steps.push({
    step: 'type',
    outcome: 'passed',
    evidence: { type: type.code, system: type.system },
  })
  if (sendAt) {
    const evidence = { until: isoTimestamp(sendAt) }
    steps.push({ step: 'send_at', outcome: 'deferred', evidence })
  }
  if (template === null) steps.push({ step: 'template', outcome: 'skipped', evidence: {} })
  if (!template) return steps
  const why = request.template === undefined ? 'only' : 'requested'
  steps.push({ step: 'template', outcome: 'passed', evidence: { template: template.key, why } })
  return steps
}

function subjectOf(step: StepName, { request }: FoundRequest): DeliveryStep['evidence'] {
  if (step === 'application') return { application: request.appCode }
  if (step === 'type') return { type: request.type }
  return step === 'template' ? { template: request.template ?? null } : {}
}
