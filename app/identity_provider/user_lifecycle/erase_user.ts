import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { forgetAddressInChanges } from '#core/changes/access_changes'
import { accessTransaction } from '#core/database/access_transaction'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { type DeletedRows, type DeletionPreview, previewDeletion } from '#core/database/delete_row'
import { logSecurityEvent } from '#core/security_events'
import { ROW_KINDS } from '#database/cascades'
import { findLongerAddresses, findNamingEntries } from '#app/audit/actions/find_naming_entries'
import { redactEntries } from '#app/audit/actions/redact_entries'
import PanelSession from '#app/auth/models/panel_session'
import { revokeLater, tokensOf } from '#app/auth/session/revoke_tokens'
import { requireRemovableSuperAdmin } from '#app/permissions/actions/require_removable_super_admin'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { UserNotFound } from '#app/profiles/exceptions'
import ErasedIdentity, { type ErasedStatus } from '#app/profiles/models/erased_identity'
import User from '#app/profiles/models/user'
import { newPseudonym } from '#app/profiles/values/pseudonym'
import { forgetSuppression, passingSuppression } from '#app/suppressions/actions/forget_suppression'
import { forgetDeliveries, storeErasure } from '#app/webhooks/actions/store_erasure'
import { findErasureListeners } from '#app/webhooks/actions/find_erasure_listeners'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { recordNaming } from '#app/identity_provider/zitadel/begun_changes'
import { LAST_SEQUENCE, eventPosition } from '#app/identity_provider/user_lifecycle/event_position'
import { leaveBroadcasts } from '#app/identity_provider/user_lifecycle/leave_broadcasts'
import { pseudonymizeLogs } from '#app/identity_provider/user_lifecycle/pseudonymize_logs'
import { TABLES_BY_ADDRESS } from '#app/identity_provider/user_lifecycle/tables_by_address'

/**
 * Erases everything stored about a user. Log entries keep a pseudonym and lose their content
 * (profiles.md#erasing-a-user).
 *
 * @returns null, or what would be deleted if it is a dry run
 * @throws UserNotFound if nothing is stored about the address; LastSuperAdmin, OwnSuperAdmin
 */
export async function eraseUser(
  email: string,
  caller: string,
  dryRun = false
): Promise<DeletionPreview | null> {
  const pseudonym = newPseudonym()
  const searched = await findNamingEntries(email)
  let sessions: PanelSession[] = []
  const preview = await accessTransaction(
    async (trx, changed) => {
      await requireRemovableSuperAdmin([email], caller, trx)
      const user = await lockRecord(email, [], trx)
      sessions = await findSessions(email, user, trx)
      const listeners = await findErasureListeners(email, trx)
      const deletes = dryRun ? await findDeletions(email, user, sessions, trx) : []
      let rows = user ? 1 : 0
      for (const table of TABLES_BY_ADDRESS) {
        rows += Number(await trx.from(table).where({ email }).delete())
      }
      for (const session of sessions) await session.useTransaction(trx).delete()
      rows += sessions.length
      rows += await forgetSeededSuperAdmin(email, trx)
      rows += await forgetSuppression(email, trx)
      rows += await pseudonymizeLogs(email, pseudonym, trx)
      rows += await leaveBroadcasts(email, pseudonym, trx)
      const longerOnes = await findLongerAddresses(email, trx)
      await recordNaming(email, [...searched.longerOnes, ...longerOnes], trx)
      rows += await redactEntries(email, pseudonym, searched, trx)
      const accounts = await forgetAccounts(email, user, trx)
      if (rows + accounts.size === 0) throw new UserNotFound()
      // Otherwise the next holder would inherit the status of an account without proof.
      user?.discardUnverifiedIdentity()
      const former = (await ErasedIdentity.of([email], trx)).get(email)
      const active = user?.active ?? former?.active ?? true
      await user?.delete()
      const erasedAt = eventPosition(isoTimestamp(DateTime.utc()), LAST_SEQUENCE)
      await ErasedIdentity.remember(new Map([...accounts, [email, { active }]]), erasedAt, trx)
      await forgetAddressInChanges(email, trx)
      await forgetDeliveries(email, listeners, trx)
      await storeErasure(email, listeners, trx)
      changed({ email })
      return { deletes }
    },
    { dryRun, forgetAddresses: true }
  )
  if (dryRun) return preview
  revokeLater(tokensOf(sessions))
  logSecurityEvent('user_erased', 'A user was erased', { pseudonym })
  return null
}

/** Those of the address and of its account. */
async function findSessions(email: string, user: User | null, trx: TransactionClientContract) {
  const query = PanelSession.query({ client: trx }).where({ email })
  const account = user?.provenAccount ?? null
  return account === null ? query : query.orWhere('subject', account)
}

/** The record with what belongs to it, and the rows that name the address. */
async function findDeletions(
  email: string,
  user: User | null,
  sessions: PanelSession[],
  trx: TransactionClientContract
): Promise<DeletedRows[]> {
  const ofUser = user ? (await previewDeletion(user)).deletes : []
  const ofAddress: DeletedRows[] = []
  for (const table of TABLES_BY_ADDRESS) {
    const [{ total }] = await trx.from(table).where({ email }).count('* as total')
    ofAddress.push({ kind: ROW_KINDS[table].kind, count: Number(total), names: [] })
  }
  const { kind } = ROW_KINDS.panel_sessions
  ofAddress.push({ kind, count: sessions.length, names: [] })
  const [{ passing }] = await passingSuppression(email, trx).count('* as passing')
  const { kind: suppression } = ROW_KINDS.suppressions
  ofAddress.push({ kind: suppression, count: Number(passing), names: [] })
  const inbox = trx.from('notifications').where({ email, in_inbox: true })
  const [{ total }] = await inbox.count('* as total')
  ofAddress.push({ kind: 'inbox_item', count: Number(total), names: [] })
  return [...ofUser, ...ofAddress.filter(({ count }) => count > 0)]
}

/** The fingerprint keeps `SUPER_ADMINS` from adding the address again at the next start. */
async function forgetSeededSuperAdmin(email: string, trx: TransactionClientContract) {
  const fingerprint = ErasedIdentity.fingerprintOf(email)
  const seeded = trx.from('seeded_super_admins').where({ email })
  return Number(await seeded.update({ email: fingerprint }))
}

/**
 * Deletes what the provider reported, unless the account has another record here.
 * @returns the status of each forgotten account
 */
async function forgetAccounts(
  email: string,
  user: User | null,
  trx: TransactionClientContract
): Promise<Map<string, ErasedStatus>> {
  const known = await ProviderUser.about(email, trx).orderBy('id')
  const forgotten = new Map<string, ErasedStatus>()
  const owner = user?.provenAccount ?? null
  if (user && owner !== null) forgotten.set(owner, { active: user.active })
  for (const account of known) {
    const others = await User.query({ client: trx })
      .where('idpUserId', account.idpUserId)
      .whereNot({ email })
      .first()
    if (others) {
      const emails = account.facts?.emails.filter(({ value }) => value !== email) ?? []
      await account.merge({ facts: account.facts && { ...account.facts, emails } }).save()
      forgotten.delete(account.idpUserId)
    } else {
      await account.delete()
      const { active, removed } = account.facts ?? {}
      const isActive = forgotten.get(account.idpUserId)?.active ?? true
      forgotten.set(account.idpUserId, { active: isActive && active?.value !== false, removed })
    }
  }
  return forgotten
}
