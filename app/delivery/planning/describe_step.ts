import sendingConfig from '#config/sending'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryStep, StepName } from '#app/delivery/planning/delivery_explanation'

type Describe = (step: Pick<DeliveryStep, 'outcome' | 'evidence'>) => string

const LABELS: Record<Channel, string> = { email: 'E-mail', push: 'Push' }

const describeType: Describe = ({ outcome, evidence: { channel, type, enabled, code } }) => {
  if (channel) return `${labelOf(channel)} is switched ${onOrOff(enabled)} for the type.`
  if (outcome === 'passed') return `The application has the type ${text(type)}.`
  if (code === 'SYSTEM_TYPE') return `${text(type)} is a system type, which the caller cannot use.`
  return `The application has no type ${text(type)}.`
}

const describeTemplate: Describe = ({ outcome, evidence: { template, why, code } }) => {
  if (outcome === 'skipped') return 'The type has no template: the data of the send is the message.'
  if (code === 'TEMPLATE_REQUIRED')
    return 'The type has several templates, and the send names none.'
  if (outcome === 'stopped') return 'The type has no template with the key that the send names.'
  return why === 'requested'
    ? `The send asks for the template ${text(template)}.`
    : `${text(template)} is the only template of the type.`
}

const describeNotifications: Describe = ({ outcome }) => {
  if (outcome === 'skipped') return 'Users cannot switch off system types.'
  return outcome === 'passed'
    ? 'Notifications of the application are switched on.'
    : 'The user has switched off notifications of the application.'
}

const describePreference: Describe = ({ evidence: { channel, locked, own, used } }) => {
  const whose = !locked && own !== null ? 'The user has switched' : 'By default, the type has'
  const switched = `${whose} ${labelOf(channel).toLowerCase()} ${onOrOff(used)}`
  return switched + (locked ? ', and users cannot change that.' : '.')
}

const describeReachability: Describe = ({ outcome, evidence: { channel } }) => {
  const isReachable = outcome === 'passed'
  if (channel === 'email') return isReachable ? 'The user has an address.' : 'No mail can be sent.'
  return isReachable
    ? 'A browser of the user is subscribed.'
    : 'No browser of the user is subscribed, or the service has no VAPID keys.'
}

const describeSuppression: Describe = ({ outcome }) => {
  if (outcome === 'passed') return 'The address is not suppressed.'
  return outcome === 'skipped'
    ? 'The address is suppressed, but system types are tried all the same.'
    : 'The address is suppressed: it gets no mail.'
}

const describeDigest: Describe = ({ outcome, evidence: { frequency, size } }) => {
  if (size !== undefined) return `The mail is a digest of ${text(size)} notifications.`
  if (outcome === 'skipped') return 'Mails of system types are never part of a digest.'
  return outcome === 'passed'
    ? 'The user gets each mail immediately.'
    : `The mail is part of the user's ${text(frequency)} digest.`
}

const describeQuietHours: Describe = ({ outcome, evidence: { urgent } }) => {
  if (outcome === 'skipped') {
    return urgent
      ? 'The type is urgent: it ignores quiet hours.'
      : 'System types ignore quiet hours.'
  }
  return outcome === 'passed'
    ? 'The user has no quiet hours now.'
    : 'The user has quiet hours: e-mail and push wait.'
}

const LOCALE_SOURCES: Record<string, string> = {
  request: 'The send asks for',
  user: 'The user reads',
  default: 'The user has no language, so the default is',
}

const describeLocale: Describe = ({ evidence: { wanted, from, tried, used } }) => {
  const start = `${LOCALE_SOURCES[text(from)]} ${text(wanted)}`
  const steps = `${start}; tried: ${(tried as string[]).join(', ')}`
  return used ? `${steps}; used: ${text(used)}.` : `${steps}; nothing could be rendered.`
}

const describeRendering: Describe = ({ outcome, evidence: { code, missing } }) => {
  if (outcome === 'passed') return 'The message could be rendered.'
  if (code !== 'NO_TEMPLATE') return 'The message could not be rendered.'
  return missing
    ? `Without a template, the data must contain ${(missing as string[]).join(' and ')}.`
    : 'The template has no texts in any language.'
}

const describeSender: Describe = ({ evidence: { address, account } }) =>
  account === null
    ? 'No SMTP server is configured: the mail fails.'
    : `The mail is sent from ${text(address)} with the mail account of the ${text(account)}.`

const DESCRIBE: Record<StepName, Describe> = {
  application: ({ outcome, evidence: { application } }) =>
    `The application ${text(application)} ${outcome === 'passed' ? 'exists' : 'does not exist'}.`,
  type: describeType,
  send_at: ({ outcome, evidence: { until } }) =>
    outcome === 'deferred'
      ? `The send asks for ${text(until)}. Everything else is decided then.`
      : `The requested time is in the past or more than ${sendingConfig.maxAheadDays} days ahead.`,
  template: describeTemplate,
  variables: ({ outcome, evidence: { missing } }) =>
    outcome === 'passed'
      ? 'The data has all required variables.'
      : `The data lacks required variables: ${(missing as string[]).join(', ')}.`,
  user: ({ outcome }) =>
    outcome === 'passed' ? 'The user is active.' : 'The user is deactivated.',
  notifications: describeNotifications,
  preference: describePreference,
  reachability: describeReachability,
  suppression: describeSuppression,
  digest: describeDigest,
  quiet_hours: describeQuietHours,
  locale: describeLocale,
  brand: ({ evidence: { brand, why } }) =>
    why === 'user'
      ? `The user has the brand ${text(brand)}.`
      : `${text(brand)} is the default brand.`,
  rendering: describeRendering,
  sender: describeSender,
}

/** A sentence for people. What is stored is the evidence only, so wording may improve. */
export const describeStep = ({ step, ...rest }: DeliveryStep): string => DESCRIBE[step](rest)

const labelOf = (channel: unknown) => LABELS[channel as Channel]
const onOrOff = (isOn: unknown) => (isOn ? 'on' : 'off')
const text = (value: unknown) => String(value)
