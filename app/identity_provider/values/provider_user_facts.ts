import type { Names, ToldNames } from '#app/profiles/values/names'
import { momentOf } from '#app/identity_provider/values/event_position'
import type {
  LifecycleEvent,
  LifecycleEventType,
} from '#app/identity_provider/values/lifecycle_event'

/** Something that was told, and the position of the event that told it. */
export interface Told<T> {
  value: T
  at: string
}

export interface ToldEmail extends Told<string> {
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
  orgId?: Told<string>
  /**
   * The latest addresses they had, each once, with the time of its latest mention; they have the
   * latest of them.
   */
  emails: ToldEmail[]
  /** Neither deactivated, locked nor removed; absent while nobody has said anything of it. */
  active?: Told<boolean>
  /** The provider never reuses a user id, so a removed account does not come back. */
  removed?: boolean
  names: { [name in keyof Names]?: Told<string> }
}

/** Stands before every event: what was known from elsewhere when the first one came. */
export const BEFORE_EVERYTHING = ''

/**
 * How many addresses of a user are kept. People may change theirs as often as they like, and each
 * event goes through all of them.
 */
const MOST_EMAILS = 50

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
export function learn(facts: ProviderUserFacts, event: LifecycleEvent, at: string) {
  const { firstName, lastName, displayName } = event.names
  const active = SAYS_ACTIVE[event.type]
  const learned: ProviderUserFacts = {
    orgId: latest(facts.orgId, event.orgId ?? undefined, at),
    emails: event.email === null ? facts.emails : toldEmail(facts.emails, event.email, at),
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
  return newestFirst(emails)[0]?.value ?? null
}

/** The addresses to keep, as far as they do not tell that a record was taken from the account. */
export function latestEmails({ emails }: ProviderUserFacts): ToldEmail[] {
  return newestFirst(emails).slice(0, MOST_EMAILS)
}

const newestFirst = (emails: ToldEmail[]) =>
  emails.toSorted((one, other) => (one.at < other.at ? 1 : -1))

/** The same, with the record of that address marked as bound to the account, now or before. */
export function claimedEmail(emails: ToldEmail[], email: string): ToldEmail[] {
  const known = emails.find(({ value }) => value === email)
  const others = emails.filter(({ value }) => value !== email)
  return [...others, { value: email, at: known?.at ?? BEFORE_EVERYTHING, claimed: true }]
}

export function toldEmail(emails: ToldEmail[], email: string, at: string): ToldEmail[] {
  const before = emails.find(({ value }) => value === email)
  const others = emails.filter(({ value }) => value !== email)
  return [...others, { ...before, ...latest(before, email, at)! }]
}

export function latest<T>(known: Told<T> | undefined, value: T | undefined, at: string) {
  if (value === undefined || (known !== undefined && known.at >= at)) return known
  return { value, at }
}

/** The names with the moments at which they were given. */
export function toldNames({ names }: ProviderUserFacts): ToldNames {
  const dated = (told: Told<string> | undefined) =>
    told && { value: told.value, changedAt: momentOf(told.at) }
  return {
    firstName: dated(names.firstName),
    lastName: dated(names.lastName),
    displayName: dated(names.displayName),
  }
}
