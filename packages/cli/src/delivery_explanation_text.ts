import type { components } from '@concierge/client'
import type { Session } from './session.ts'
import { printable } from './terminal/printable.ts'

type Explained =
  components['schemas']['DeliveryExplanation'] | components['schemas']['RecordedExplanation']

const DECISIONS = {
  send: 'sent',
  schedule: 'sent later',
  skip: 'not sent',
  fail: 'failed',
  refuse: 'refused',
}

/** As sentences, or complete with `--output json` or `yaml`. */
export function printDeliveryExplanation(session: Session, explanation: Explained): void {
  const isText = session.options.output === 'table'
  if (isText) session.text(deliveryExplanationText(explanation))
  else session.print(explanation)
}

function deliveryExplanationText({ decision, reason, channels, scheduledFor, steps }: Explained) {
  if (decision === null) return 'No explanation was recorded with this notification.'
  const by = channels.length > 0 ? ` by ${channels.join(' and ')}` : ''
  const when = scheduledFor === null ? '' : ` at ${scheduledFor}`
  const why = reason === null ? '' : `: ${printable(reason)}`
  return [
    `${DECISIONS[decision]}${by}${when}${why}`,
    '',
    ...steps.map(({ step, outcome, detail }) => `${outcome}  ${step}: ${printable(detail)}`),
  ].join('\n')
}
