import type { Channel } from '#app/delivery/models/delivery'
import type {
  Decision,
  DeliveryExplanation,
  DeliveryStep,
  StepName,
  StepOutcome,
} from '#app/delivery/planning/delivery_explanation'

/** To be raised when codes get another meaning; older versions must then still be read. */
const VERSION = 1

// Codes that are stored: never reuse one.
const STEPS: Record<StepName, string> = {
  application: 'a',
  type: 't',
  send_at: 'w',
  template: 'm',
  variables: 'v',
  user: 'u',
  notifications: 'n',
  preference: 'p',
  reachability: 'r',
  suppression: 'x',
  digest: 'd',
  quiet_hours: 'q',
  locale: 'l',
  brand: 'b',
  rendering: 'c',
  sender: 's',
}
const OUTCOMES: Record<StepOutcome, string> = {
  passed: '+',
  stopped: '-',
  deferred: '>',
  skipped: '0',
}
const CHANNELS: Record<Channel, string> = { email: 'e', push: 'p' }
/** Of evidence that nearly every message has; others are stored as they are. */
const KEYS: Record<string, string> = {
  application: 'a',
  type: 't',
  system: 's',
  template: 'm',
  why: 'y',
  missing: 'i',
  enabled: 'e',
  locked: 'l',
  own: 'o',
  used: 'u',
  reason: 'r',
  frequency: 'f',
  until: 'n',
  wanted: 'w',
  from: 'g',
  tried: 'h',
  brand: 'b',
  address: 'd',
  name: 'x',
  account: 'j',
}

const STEP_OF = inverted(STEPS)
const OUTCOME_OF = inverted(OUTCOMES)
const CHANNEL_OF = inverted(CHANNELS)
const KEY_OF = inverted(KEYS)

type EncodedStep = string | [string, Record<string, unknown>]
type Encoded = [number, Decision, string | null, string, string | null, 0 | 1, ...EncodedStep[]]

/** A few hundred bytes that are stored with every message. Without the sentences. */
export function encodeExplanation(explanation: DeliveryExplanation): string {
  const { decision, reason, channels, scheduledFor, inInbox, steps } = explanation
  const encoded: Encoded = [
    VERSION,
    decision,
    reason,
    channels.map((channel) => CHANNELS[channel]).join(''),
    scheduledFor,
    inInbox ? 1 : 0,
    ...steps.map(encodeStep),
  ]
  return JSON.stringify(encoded)
}

/** Null for what another version of the service wrote in a form that this one does not know. */
export function decodeExplanation(text: string): DeliveryExplanation | null {
  const [version, decision, reason, channels, scheduledFor, inInbox, ...steps] = JSON.parse(
    text
  ) as Encoded
  if (version !== VERSION) return null
  return {
    decision,
    reason,
    channels: [...channels].map((code) => CHANNEL_OF.get(code)!),
    scheduledFor,
    inInbox: inInbox === 1,
    steps: steps.map(decodeStep),
  }
}

function encodeStep({ step, outcome, evidence }: DeliveryStep): EncodedStep {
  const { channel, ...rest } = evidence
  const code = STEPS[step] + OUTCOMES[outcome] + (CHANNELS[channel as Channel] ?? '')
  return Object.keys(rest).length === 0 ? code : [code, renamed(rest, (key) => KEYS[key])]
}

function decodeStep(encoded: EncodedStep): DeliveryStep {
  const [code, rest] = typeof encoded === 'string' ? [encoded, {}] : encoded
  const [step, outcome, channel] = code
  const about = channel === undefined ? {} : { channel: CHANNEL_OF.get(channel)! }
  return {
    step: STEP_OF.get(step)!,
    outcome: OUTCOME_OF.get(outcome)!,
    evidence: { ...about, ...renamed(rest, (key) => KEY_OF.get(key)) },
  }
}

function inverted<Name extends string>(codes: Record<Name, string>) {
  return new Map(Object.entries<string>(codes).map(([name, code]) => [code, name as Name]))
}

function renamed(evidence: Record<string, unknown>, nameOf: (key: string) => string | undefined) {
  const entries = Object.entries(evidence).map(([key, value]) => [nameOf(key) ?? key, value])
  return Object.fromEntries(entries) as Record<string, unknown>
}
