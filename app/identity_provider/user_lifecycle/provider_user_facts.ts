import type { Names, NameChanges } from '#app/profiles/values/names'
import { timeOfPosition } from '#app/identity_provider/user_lifecycle/event_position'
import type {
  LifecycleEvent,
  LifecycleEventType,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'

/** A value and the position (see `eventPosition`) of the event that reported it. */
export interface DatedFact<T> {
  value: T
  at: string
}

export interface DatedStatus extends DatedFact<boolean> {
  /** Whether it was decided here. The provider's lists do not undo a deactivation then. */
  isDecision?: boolean
}

export interface DatedEmail extends DatedFact<string> {
  /** Whether the record of this address was ever bound to the account: events bind it only once. */
  claimed?: boolean
  /** Whether it is proved that the address belongs to the account. Events do not prove it. */
  verified?: boolean
}

/** For each fact the latest event counts, whatever the order in which events arrive. */
export interface ProviderUserFacts {
  orgId?: DatedFact<string>
  /** The addresses the user had, each once. The latest is the current one; see `latestEmails`. */
  emails: DatedEmail[]
  /** False if deactivated, locked or removed; absent if no event said so. */
  active?: DatedStatus
  /** Final, because the provider never reuses a user id. */
  removed?: boolean
  names: { [name in keyof Names]?: DatedFact<string> }
}

/** The position of facts known before the first event. */
export const BEFORE_ALL_EVENTS = ''

/** Bounds the work per event: users may change their address as often as they like. */
const MAX_EMAILS = 50

export const NO_FACTS: ProviderUserFacts = { emails: [], names: {} }

const ACTIVE_AFTER: Record<string, boolean | undefined> = {
  'user.deactivated': false,
  'user.locked': false,
  'user.removed': false,
  'user.reactivated': true,
  'user.unlocked': true,
}

/** Undefined for events that do not change it. */
export const statusAfter = (type: LifecycleEventType) => ACTIVE_AFTER[type]

export const isReactivation = (type: LifecycleEventType) => ACTIVE_AFTER[type] === true

export function applyEvent(facts: ProviderUserFacts, event: LifecycleEvent, at: string) {
  const { firstName, lastName, displayName } = event.names
  const active = ACTIVE_AFTER[event.type]
  const updated: ProviderUserFacts = {
    orgId: laterFact(facts.orgId, event.orgId ?? undefined, at),
    emails: event.email === null ? facts.emails : withEmail(facts.emails, event.email, at),
    active: laterFact(facts.active, active, at),
    removed: facts.removed === true || event.type === 'user.removed' || undefined,
    names: {
      firstName: laterFact(facts.names.firstName, firstName, at),
      lastName: laterFact(facts.names.lastName, lastName, at),
      displayName: laterFact(facts.names.displayName, displayName, at),
    },
  }
  return updated
}

export function currentEmail({ emails }: ProviderUserFacts): string | null {
  return latestFirst(emails)[0]?.value ?? null
}

/** Whether the account had this address and has another one now. */
export function hasLeftAddress(facts: ProviderUserFacts, address: string): boolean {
  return facts.emails.some(({ value }) => value === address) && currentEmail(facts) !== address
}

export function latestEmails({ emails }: ProviderUserFacts): DatedEmail[] {
  return latestFirst(emails).slice(0, MAX_EMAILS)
}

const latestFirst = (emails: DatedEmail[]) =>
  emails.toSorted((one, other) => (one.at < other.at ? 1 : -1))

/** Marks the record of the address as bound to the account, which has proved it. */
export function withClaimedEmail(emails: DatedEmail[], email: string): DatedEmail[] {
  const known = emails.find(({ value }) => value === email)
  const others = emails.filter(({ value }) => value !== email)
  return [
    ...others,
    { value: email, at: known?.at ?? BEFORE_ALL_EVENTS, claimed: true, verified: true },
  ]
}

export function withEmail(emails: DatedEmail[], email: string, at: string): DatedEmail[] {
  const before = emails.find(({ value }) => value === email)
  const others = emails.filter(({ value }) => value !== email)
  return [...others, { ...before, ...laterFact(before, email, at)! }]
}

export function laterFact<T>(known: DatedFact<T> | undefined, value: T | undefined, at: string) {
  if (value === undefined || (known !== undefined && known.at >= at)) return known
  return { value, at }
}

export function datedNames({ names }: ProviderUserFacts): NameChanges {
  const dated = (fact: DatedFact<string> | undefined) =>
    fact && { value: fact.value, changedAt: timeOfPosition(fact.at) }
  return {
    firstName: dated(names.firstName),
    lastName: dated(names.lastName),
    displayName: dated(names.displayName),
  }
}
