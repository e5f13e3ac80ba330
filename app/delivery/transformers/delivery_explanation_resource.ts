import type { RecordedExplanation } from '#app/delivery/actions/read_explanation'
import type { DeliveryExplanation, DeliveryStep } from '#app/delivery/planning/delivery_explanation'
import { describeStep } from '#app/delivery/planning/describe_step'

/** See delivery.md#explanations. */
export function deliveryExplanationResource(explanation: DeliveryExplanation) {
  return {
    /** `send` hands it to the servers, which may refuse it. `refuse` returns a problem instead. */
    decision: explanation.decision,
    /** The status reason; null if it is sent immediately */
    reason: explanation.reason,
    /** What delivers it, now or later */
    channels: explanation.channels,
    /** Null if it does not wait */
    scheduledFor: explanation.scheduledFor,
    inInbox: explanation.inInbox,
    /** In the order in which they decide */
    steps: explanation.steps.map(deliveryStepResource),
  }
}

/** See delivery.md#recorded-explanations. */
export function recordedExplanationResource({ id, explanation }: RecordedExplanation) {
  const known = explanation && deliveryExplanationResource(explanation)
  return {
    id,
    /** False if no explanation was recorded; all other fields are then null or empty */
    recorded: known !== null,
    decision: known?.decision ?? null,
    reason: known?.reason ?? null,
    channels: known?.channels ?? [],
    scheduledFor: known?.scheduledFor ?? null,
    inInbox: known?.inInbox ?? null,
    steps: known?.steps ?? [],
  }
}

function deliveryStepResource(step: DeliveryStep) {
  return {
    step: step.step,
    outcome: step.outcome,
    /** A sentence for people, whose wording may change */
    detail: describeStep(step),
    /** What the step found. Steps about one channel have `channel`. */
    evidence: step.evidence,
  }
}
