import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { accessTransaction } from '#core/database/access_transaction'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { logSecurityEvent } from '#core/security_events'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import { requireRemovableSuperAdmin } from '#app/permissions/actions/require_removable_super_admin'
import { endAccountSessions } from '#app/profiles/actions/end_account_sessions'
import { recordUserChange, userState } from '#app/profiles/actions/record_user_change'
import { lockRecords } from '#app/profiles/actions/lock_record'
import { saveUsers } from '#app/profiles/actions/save_users'
import { UserNotFound } from '#app/profiles/exceptions'
import User from '#app/profiles/models/user'
import { announceRecords } from '#app/identity_provider/user_lifecycle/announce_records'
import {
  LAST_SEQUENCE,
  eventPosition,
  positionAfter,
} from '#app/identity_provider/user_lifecycle/event_position'
import {
  hasLeftAddress,
  withClaimedEmail,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import { StatusChangedMeanwhile } from '#app/identity_provider/exceptions'
import {
  endProviderWrite,
  recordDespiteFailure,
  recordProviderChange,
} from '#app/identity_provider/zitadel/provider_writes'
import { type Lease, withLease } from '#core/database/leases/with_lease'
import { readProviderUser } from '#app/identity_provider/user_lifecycle/update_provider_user_facts'
import ProviderUser from '#app/identity_provider/models/provider_user'
import {
  accountStatusChange,
  tellProvider,
  unchanged,
} from '#app/identity_provider/user_lifecycle/tell_provider'
import type {
  AccountChange,
  AccountStatusResult,
} from '#app/identity_provider/zitadel/change_account_status'

export interface StatusChange {
  user: User
  identityProvider: AccountChange
}

interface Decision {
  email: string
  active: boolean
  caller: string
  /** The state that it depends on; absent if it applies in any state. */
  seen?: string
}

/**
 * Deactivates or reactivates a user here and at the identity provider. The order never gives more
 * access than both allow: a deactivation is stored first, a reactivation last, and only if nothing
 * else has changed the status (identity-provider.md#changing-who-is-active).
 *
 * @throws UserNotFound, LastSuperAdmin, OwnSuperAdmin, AlreadyAtWork, StatusChangedMeanwhile;
 *   UpstreamUnreachable if the provider could not be updated
 */
export function changeUserStatus(
  email: string,
  active: boolean,
  caller: string
): Promise<StatusChange> {
  const lost = accountStatusChange(email, active, 'unconfirmed')
  return withLease(`user-status:${email}`, async (lease) => {
    if (active) return recordDespiteFailure(lost, () => reactivate(email, caller, lease))
    const { user, isRecorded } = await storeStatus({ email, active, caller }, lease)
    const account = await accountOf(user)
    const tell = () => tellProvider(account, active)
    const { identityProvider } = isRecorded
      ? await tell()
      : await recordDespiteFailure(lost, async () => {
          const result = await tell()
          if (result.hasChanged) await recordProviderChange(accountStatusChange(email, active))
          return result
        })
    return { user, identityProvider }
  })
}

async function reactivate(email: string, caller: string, lease: Lease): Promise<StatusChange> {
  const found = await User.withEmail(email)
  const seen = await stateOf(found)
  const { identityProvider, hasChanged } = await reactivateAccount(found, caller)
  let isRecorded = false
  try {
    const stored = await storeStatus({ email, active: true, caller, seen }, lease)
    isRecorded = stored.isRecorded
    return { user: stored.user, identityProvider }
  } finally {
    if (hasChanged && !isRecorded) await recordProviderChange(accountStatusChange(email, true))
  }
}

/** Everything that decides whether the user is active, to detect a change. */
async function stateOf(user: User, client?: QueryClientContract): Promise<string> {
  const { active, idpUserId, identityVerified, statusEventAt, awaitsReactivation } = user
  const known = idpUserId && (await ProviderUser.findBy({ idpUserId }, { client }))
  const facts = known ? known.facts : null
  const reported = [facts?.active?.value, facts?.active?.at, facts?.removed]
  const recorded = [active, idpUserId, identityVerified, statusEventAt, awaitsReactivation]
  return JSON.stringify([...recorded, ...reported])
}

/** The account that uses the record; null if it is unbound or the account left the address. */
async function accountOf({ email, idpUserId }: User): Promise<string | null> {
  if (idpUserId === null) return null
  const known = await ProviderUser.findBy({ idpUserId })
  return known?.facts && hasLeftAddress(known.facts, email) ? null : idpUserId
}

async function reactivateAccount(user: User, caller: string): Promise<AccountStatusResult> {
  const account = await accountOf(user)
  // The account that has reserved the record may be a stranger's.
  if (account !== null && !user.identityVerified) return unchanged('not_proved')
  // Users who reactivate themselves could undo a deactivation that has not been reported yet.
  if (account !== null && user.email === caller) return unchanged('not_permitted')
  return tellProvider(account, true)
}

const emailOf = ({ email }: User) => email

/** Whether a reactivation decides nothing, so that events that have not arrived yet still count. */
async function isFullyActive(user: User, trx: TransactionClientContract): Promise<boolean> {
  if (!user.active || user.awaitsReactivation) return false
  if (user.idpUserId === null) return user.identityVerified
  const { known: facts } = await readProviderUser(user.idpUserId, trx)
  return facts.active?.value !== false && !facts.removed && !hasLeftAddress(facts, user.email)
}

interface StoredStatus {
  user: User
  /** Whether an audit entry shows the decision */
  isRecorded: boolean
}

async function storeStatus(
  { email, active, caller, seen }: Decision,
  lease: Lease
): Promise<StoredStatus> {
  const { user, affected, isRecorded } = await accessTransaction(async (trx, changed) => {
    if (!active) await lockSuperAdmins(trx)
    const { record, records } = await lockRecords(email, [], trx)
    if (!record) throw new UserNotFound()
    await lease.renew(trx)
    if (seen !== undefined && seen !== (await stateOf(record, trx))) {
      throw new StatusChangedMeanwhile()
    }
    if (active && (await isFullyActive(record, trx))) {
      return { user: record, affected: [], isRecorded: false }
    }
    const [wasActive, before] = [record.active, userState(record)]
    const now = eventPosition(isoTimestamp(DateTime.utc()), LAST_SEQUENCE)
    let at = positionAfter(record.statusEventAt, now)
    let others = active ? [] : record.othersOfAccount(records)
    if (record.idpUserId !== null) {
      const { known: facts, save } = await readProviderUser(record.idpUserId, trx)
      const hasLeft = hasLeftAddress(facts, email)
      // Someone else may have the address now.
      if (hasLeft) others = []
      if (!facts.removed && !hasLeft) {
        at = positionAfter(facts.active?.at, at)
        facts.active = { value: active, at, isDecision: true }
      } else if (active) {
        // The account cannot use the record, whose next event would make it inactive again.
        facts.emails = withClaimedEmail(facts.emails, email)
        record.release()
      }
      await save(facts)
    }
    if (!active) {
      await requireRemovableSuperAdmin([record, ...others].map(emailOf), caller, trx)
    }
    const closed = others.filter((one) => one.active)
    if (active) record.changeStatus(true, at)
    else record.suspend(at)
    for (const one of others) one.suspend(positionAfter(one.statusEventAt, at))
    await record.save()
    await recordUserChange(trx, before, record)
    if (record.active !== wasActive) await endProviderWrite(trx)
    if (others.length > 0) await endAccountSessions(record.idpUserId!, trx)
    await saveUsers(others, trx)
    announceRecords(new Set([record, ...closed].map(emailOf)), changed)
    const hasChanged = record.active !== wasActive
    const affectedRecords = hasChanged ? [record, ...closed] : closed
    return { user: record, affected: affectedRecords, isRecorded: hasChanged }
  })
  const text = active ? 'A user was reactivated' : 'A user was deactivated'
  for (const one of affected) {
    logSecurityEvent('user_status_changed', text, { email: one.email, active })
  }
  return { user, isRecorded }
}
