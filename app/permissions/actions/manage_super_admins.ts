import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { requireRoom } from '#core/database/require_room'
import { serialize } from '#core/database/serialize'
import { type SecurityEventFacts, logSecurityEvent } from '#core/security_events'
import {
  AdministratorNotFound,
  LastSuperAdmin,
  TooManyAdministrators,
} from '#app/permissions/exceptions'
import { MAX_ADMINISTRATORS } from '#app/permissions/actions/manage_application_admins'
import SeededSuperAdmin from '#app/permissions/models/seeded_super_admin'
import SuperAdmin from '#app/permissions/models/super_admin'

/** Makes a person super admin; says whether they were not before. @throws TooManyAdministrators */
export async function addSuperAdmin(email: string) {
  const added = await changingAccess(async (trx, changed) => {
    changed({ email })
    await serialize(trx, 'super_admins')
    const known = await SuperAdmin.findBy({ email }, { client: trx })
    if (known) return { admin: known, created: false }
    await requireRoom(SuperAdmin.query({ client: trx }), MAX_ADMINISTRATORS, TooManyAdministrators)
    return { admin: await SuperAdmin.create({ email }, { client: trx }), created: true }
  })
  if (added.created) report('A super admin was added', { change: 'added', email })
  return added
}

/**
 * Makes addresses super admins that have not taken effect before: a super admin who was removed
 * stays removed. Runs within a transaction; call `reportSeeded` after it.
 *
 * @returns the addresses that were added
 */
export async function seedSuperAdmins(emails: string[], trx: TransactionClientContract) {
  const seeded: string[] = []
  await serialize(trx, 'super_admins')
  for (const email of emails) {
    const known = await SeededSuperAdmin.findBy({ email }, { client: trx })
    if (known) continue
    await SeededSuperAdmin.create({ email }, { client: trx })
    const admin = await SuperAdmin.firstOrCreate({ email }, {}, { client: trx })
    if (admin.$isLocal) seeded.push(email)
  }
  return seeded
}

export function reportSeeded(emails: string[]) {
  for (const email of emails) {
    report('A super admin was added by SUPER_ADMINS', {
      change: 'seeded',
      email,
      actor: 'SUPER_ADMINS',
    })
  }
}

function report(message: string, facts: SecurityEventFacts) {
  logSecurityEvent('super_admin_changed', message, facts)
}

/** @throws AdministratorNotFound, LastSuperAdmin when no other active super admin would remain */
export async function removeSuperAdmin(email: string) {
  await changingAccess(async (trx, changed) => {
    changed({ email })
    await serialize(trx, 'super_admins')
    const admin = await SuperAdmin.query({ client: trx }).where('email', email).first()
    if (!admin) throw new AdministratorNotFound()
    const active = await activeSuperAdmins(trx)
    if (active.length === 1 && active[0] === email) throw new LastSuperAdmin()
    await admin.delete()
  })
  report('A super admin was removed', { change: 'removed', email })
}

/** Who is not inactive: a super admin without a user record counts (specification 4.5, rule 1). */
async function activeSuperAdmins(trx: TransactionClientContract): Promise<string[]> {
  const admins = await SuperAdmin.query({ client: trx }).whereNotIn('email', (inactive) =>
    inactive.from('users').where('active', false).select('email')
  )
  return admins.map(({ email }) => email)
}
