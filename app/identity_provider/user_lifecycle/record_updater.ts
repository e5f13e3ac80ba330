import { applyNameChanges, withdrawNames } from '#app/profiles/actions/apply_name_changes'
import type User from '#app/profiles/models/user'
import {
  BEFORE_ALL_EVENTS,
  type ProviderUserFacts,
  currentEmail,
  datedNames,
  hasLeftAddress,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'

/** Returns a function that makes a record follow what is known about its account. */
export function recordUpdater(
  facts: ProviderUserFacts,
  {
    known,
    holders,
    reactivatedAt,
  }: { known: ProviderUserFacts; holders: Set<string>; reactivatedAt: string | undefined }
) {
  const [names, former] = [datedNames(facts), datedNames(known)]
  const isActive = activityCheck(facts)
  return (record: User): RecordChange[] => {
    const { email, active: wasActive } = record
    const changes: RecordChange[] = []
    const isHidden =
      !record.identityVerified && (holders.has(email) || hasLeftAddress(facts, email))
    if (isHidden) withdrawNames(record, former)
    else if (applyNameChanges(record, names)) changes.push({ email, change: 'renamed' })
    const statusAt = record.statusEventAt ?? BEFORE_ALL_EVENTS
    // Without proof, the account has no say about a decision that was made here.
    const mayReactivate = record.identityVerified || !record.awaitsReactivation
    const isReactivated = mayReactivate && reactivatedAt !== undefined && reactivatedAt > statusAt
    if (isReactivated) record.awaitsReactivation = false
    record.active = !record.awaitsReactivation && isActive(record, isReactivated)
    if (mayReactivate && facts.active && facts.active.at > statusAt) {
      record.statusEventAt = facts.active.at
    }
    if (facts.removed) record.release()
    else if (facts.orgId && facts.orgId.value !== record.idpOrgId) {
      record.idpOrgId = facts.orgId.value
      changes.push({ email, change: 'moved' })
    }
    if (record.active !== wasActive) {
      changes.push({ email, change: record.active ? 'reactivated' : 'deactivated' })
    }
    return changes
  }
}

function activityCheck(facts: ProviderUserFacts) {
  const mayBeActive = !facts.removed && (facts.active?.value ?? true)
  const reported = new Set(facts.emails.map(({ value }) => value))
  const current = currentEmail(facts)
  return ({ email, active, identityVerified }: User, isReactivated: boolean): boolean => {
    // Known from a token only.
    if (!reported.has(email)) return mayBeActive && (active || isReactivated)
    // An account that never proved the address does not close it.
    if (email !== current) return !identityVerified
    return mayBeActive
  }
}
