import type { Names, ToldNames } from '#app/profiles/values/names'
import { momentOf } from '#app/identity_provider/user_lifecycle/event_position'
import type {
  LifecycleEvent,
  LifecycleEventType,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'

/** Something that was told, and the position of the event that told it. */
export interface DatedFact<T> {
  value: T
  at: string
}

export interface DatedEmail extends DatedFact<string> {
  /**
   * Whether the record of this address was bound to the account before: events bind it only once.
   */
  claimed?: boolean
}

/**
 * What is known of a user of the identity provider: for each fact, what the latest event says of it. Whatever the order
 * in which events come, and however often, the same facts result.
 */
export interface ProviderUserFacts {
  orgId?: DatedFact<string>
  /** Every address they ever had, once, with the time of its latest mention; they have the latest of them. */
  emails: DatedEmail[]
  /** Neither deactivated, locked nor removed; absent while nobody has said anything of it. */
  active?: DatedFact<boolean>
  /** The provider never reuses a user id, so a removed account does not come back. */
  removed?: boolean
  names: { [name in keyof Names]?: DatedFact<string> }
}

/** Stands before every event: what was known from elsewhere when the first one came. */
export const BEFORE_EVERYTHING = ''

export const NO_FACTS: ProviderUserFacts = { emails: [], names: {} }

const SAYS_ACTIVE: Record<string, boolean | undefined> = {
  'user.deactivated': false,
  'user.locked': false,
  'user.removed': false,
  'user.reactivated': true,
  'user.unlocked': true,
}

/** Whether an event reactivates the person. */
export const saysActive = (type: LifecycleEventType) => SAYS_ACTIVE[type] === true

/** The facts after an event, whether or not later events are part of them already. */
export function applyEvent(facts: ProviderUserFacts, event: LifecycleEvent, at: string) {
  const { firstName, lastName, displayName } = event.names
  const active = SAYS_ACTIVE[event.type]
  const learned: ProviderUserFacts = {
    orgId: latest(facts.orgId, event.orgId ?? undefined, at),
    emails: event.email === null ? facts.emails : withEmail(facts.emails, event.email, at),
    active: latest(facts.active, active, at),
    removed: facts.removed === true || event.type === 'user.removed' || undefined,
    names: {
      firstName: latest(facts.names.firstName, firstName, at),
      lastName: latest(facts.names.lastName, lastName, at),
      displayName: latest(facts.names.displayName, displayName, at),
    },
  }
  return learned
}

/** The address they have now, by what was told so far. */
export function currentEmail({ emails }: ProviderUserFacts): string | null {
  const newestFirst = emails.toSorted((one, other) => (one.at < other.at ? 1 : -1))
  return newestFirst[0]?.value ?? null
}

/** The same, with the record of that address marked as bound to the account, now or before. */
export function withClaimedEmail(emails: DatedEmail[], email: string): DatedEmail[] {
  const known = emails.find(({ value }) => value === email)
  const others = emails.filter(({ value }) => value !== email)
  return [...others, { value: email, at: known?.at ?? BEFORE_EVERYTHING, claimed: true }]
}

export function withEmail(emails: DatedEmail[], email: string, at: string): DatedEmail[] {
  const before = emails.find(({ value }) => value === email)
  const others = emails.filter(({ value }) => value !== email)
  return [...others, { ...before, ...latest(before, email, at)! }]
}

export function latest<T>(known: DatedFact<T> | undefined, value: T | undefined, at: string) {
  if (value === undefined || (known !== undefined && known.at >= at)) return known
  return { value, at }
}

/** The names with the moments at which they were given. */
export function datedNames({ names }: ProviderUserFacts): ToldNames {
  const dated = (told: DatedFact<string> | undefined) =>
    told && { value: told.value, changedAt: momentOf(told.at) }
  return {
    firstName: dated(names.firstName),
    lastName: dated(names.lastName),
    displayName: dated(names.displayName),
  }
}
