import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordChange } from '#core/audit/record_change'
import { logSecurityEvent } from '#core/security_events'
import { lockSuperAdmins } from '#app/permissions/actions/lock_super_admins'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import SeededSuperAdmin from '#app/permissions/models/seeded_super_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import { windowFields } from '#app/permissions/transformers/audit_states'
import { userTarget } from '#core/audit/user_target'

/**
 * Makes each address a super admin once, so that a removed super admin stays removed. Announce and
 * log the result.
 *
 * @returns the addresses that were not super admins, or not for all time
 */
export async function seedSuperAdmins(emails: string[], trx: TransactionClientContract) {
  const seeded: string[] = []
  await lockSuperAdmins(trx)
  for (const email of emails) {
    const known = await SeededSuperAdmin.query({ client: trx })
      .whereIn('email', [email, ...ErasedIdentity.fingerprintsOf(email)])
      .first()
    if (known) continue
    await SeededSuperAdmin.create({ email }, { client: trx })
    // Without a time window, also for someone whose time has ended.
    const admin = await SuperAdmin.firstOrNew({ email }, {}, { client: trx })
    const before = admin.$isPersisted ? windowFields(admin) : null
    admin.merge({ validFrom: null, validUntil: null })
    if (admin.$isDirty) seeded.push(email)
    await admin.save()
    await recordChange(trx, {
      action: before ? 'super_admin.changed' : 'super_admin.added',
      application: null,
      target: userTarget(email),
      before,
      after: windowFields(admin),
      email,
    })
  }
  return seeded
}

export function logSeededSuperAdmins(emails: string[]) {
  for (const email of emails) {
    logSecurityEvent('super_admin_changed', 'A super admin was added from SUPER_ADMINS', {
      change: 'seeded',
      email,
      actor: 'SUPER_ADMINS',
    })
  }
}
