import type { DeliveryExplanation, StepName } from '#app/delivery/planning/delivery_explanation'

/** The others say something about the recipient. */
const ABOUT_MESSAGE: ReadonlySet<StepName> = new Set([
  'application',
  'type',
  'send_at',
  'template',
  'variables',
  'rendering',
])

/** Keeps what became of the message, as the log shows it, without the facts about the recipient. */
export function withoutRecipient(explanation: DeliveryExplanation): DeliveryExplanation {
  const steps = explanation.steps.filter(({ step }) => ABOUT_MESSAGE.has(step))
  // The log shows the channels of what was sent, but not of what still waits.
  const channels = explanation.decision === 'send' ? explanation.channels : []
  return { ...explanation, channels, steps }
}
