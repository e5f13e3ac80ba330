import type { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type { ListedUser } from '#app/identity_provider/zitadel/listed_user'
import {
  LAST_SEQUENCE,
  eventPosition,
  positionAfter,
  timeOfPosition,
} from '#app/identity_provider/user_lifecycle/event_position'
import {
  BEFORE_ALL_EVENTS,
  type ProviderUserFacts,
  type DatedFact,
  currentEmail,
  laterFact,
  withEmail,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

/** How far the provider's lists may lag behind its events. */
export const LAG = { minutes: 5 }

/**
 * A listing covers everything up to the user's last change. Where it contradicts a later fact, the
 * list lags behind, or that fact was never true at the provider. A deactivation from here stays.
 * @param isProven whether the listed address is certainly the user's
 */
export function applyListedUser(
  facts: ProviderUserFacts,
  listed: ListedUser,
  { now, isProven }: { now: DateTime; isProven: boolean }
): ProviderUserFacts {
  const at = eventPosition(listed.changedAt ?? isoTimestamp(now.minus(LAG)), LAST_SEQUENCE)
  const isNewer = (known: DatedFact<unknown> | undefined) =>
    known === undefined || known.at <= at || timeOfPosition(known.at) <= now.minus(LAG)
  const updated = { ...facts, orgId: laterFact(facts.orgId, listed.orgId ?? undefined, at) }
  const { active } = facts
  const isDeactivatedHere = active?.value === false && active.isDecision === true
  const status = isDeactivatedHere ? null : listed.active
  if (status !== null && status !== (active?.value ?? true) && isNewer(active)) {
    updated.active = { value: status, at: positionAfter(active?.at, at) }
  }
  const known = facts.emails.find(({ value }) => value === currentEmail(facts))
  if (listed.email !== null && listed.email !== known?.value && isNewer(known)) {
    updated.emails = withEmail(facts.emails, listed.email, positionAfter(known?.at, at))
  }
  if (isProven) {
    updated.emails = updated.emails.map((fact) =>
      fact.value === listed.email ? { ...fact, verified: true } : fact
    )
  }
  // Names are dated (identity-provider.md#lag-of-the-lists), so a listing without a time has none.
  if (listed.changedAt === null) return updated
  updated.names = {
    firstName: laterFact(facts.names.firstName, listed.names.firstName, at),
    lastName: laterFact(facts.names.lastName, listed.names.lastName, at),
    displayName: laterFact(facts.names.displayName, listed.names.displayName, at),
  }
  return updated
}

export function applyMissingUser(facts: ProviderUserFacts, now: DateTime): ProviderUserFacts {
  const { active } = facts
  if (active && active.at !== BEFORE_ALL_EVENTS && timeOfPosition(active.at) > now.minus(LAG))
    return facts
  const at = positionAfter(active?.at, eventPosition(isoTimestamp(now), LAST_SEQUENCE))
  return { ...facts, active: { value: false, at } }
}
