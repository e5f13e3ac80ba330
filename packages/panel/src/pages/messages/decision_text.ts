import type { useI18n } from 'vue-i18n'
import type { DecisionStep } from '@/queries/messages'

type Translate = ReturnType<typeof useI18n>['t']
type Find = (outcome: DecisionStep['outcome'], evidence: DecisionStep['evidence']) => string

/** By its outcome alone. */
const plain: Find = (outcome) => outcome

const FREQUENCIES = ['hourly', 'daily', 'weekly']

/** The text of a step, below its name in `messages.found`. */
const FOUND: Record<DecisionStep['step'], Find> = {
  application: plain,
  type(outcome, { channel, code }) {
    if (channel) return outcome === 'passed' ? 'on' : 'off'
    return code === 'SYSTEM_TYPE' ? 'system' : outcome
  },
  send_at: plain,
  template(outcome, { why, code }) {
    if (code === 'TEMPLATE_REQUIRED') return 'required'
    if (outcome !== 'passed') return outcome
    return why === 'requested' ? 'requested' : 'only'
  },
  variables: plain,
  user: plain,
  notifications: plain,
  preference(_, { locked, own, used }) {
    if (locked) return used ? 'lockedOn' : 'lockedOff'
    if (own === null) return used ? 'defaultOn' : 'defaultOff'
    return used ? 'ownOn' : 'ownOff'
  },
  reachability(outcome, { channel }) {
    const isReachable = outcome === 'passed'
    if (channel === 'email') return isReachable ? 'emailPassed' : 'emailStopped'
    return isReachable ? 'pushPassed' : 'pushStopped'
  },
  suppression: plain,
  digest(outcome, { frequency, size }) {
    if (size !== undefined) return 'size'
    return FREQUENCIES.find((one) => outcome === 'deferred' && one === frequency) ?? outcome
  },
  quiet_hours: (outcome, { urgent }) => (outcome === 'skipped' && urgent ? 'urgent' : outcome),
  locale: (_, { from }) => String(from),
  brand: (_, { why }) => (why === 'user' ? 'user' : 'default'),
  rendering(outcome, { code, missing }) {
    if (outcome === 'passed') return 'passed'
    if (missing) return 'data'
    return code === 'NO_TEMPLATE' ? 'noTexts' : 'stopped'
  },
  sender: (_, { account }) => (account === null ? 'none' : String(account)),
}

/**
 * What a step found, in a sentence of the reader's language. A step that this version of the panel
 * does not know has the sentence of the service.
 */
export function foundText(
  t: Translate,
  te: (key: string) => boolean,
  timeOf: (at: string) => string,
  { step, outcome, detail, evidence }: DecisionStep
): string {
  const key = `messages.found.${step}.${FOUND[step]?.(outcome, evidence)}`
  if (!te(key)) return detail
  const listed = (value: unknown) =>
    Array.isArray(value) ? value.join(', ') : String(value ?? '–')
  const facts = Object.fromEntries(
    Object.entries(evidence).map(([name, value]) => [name, listed(value)])
  )
  const time = typeof evidence.until === 'string' ? timeOf(evidence.until) : '–'
  return t(key as 'messages.found.user.passed', { ...facts, time })
}
