import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { serialize } from '#core/database/serialize'
import { AdministratorNotFound, LastSuperAdmin } from '#app/permissions/exceptions'
import SuperAdmin from '#app/permissions/models/super_admin'

/** Makes a person super admin; says whether they were not before. */
export async function addSuperAdmin(email: string) {
  return changingAccess(async (trx, changed) => {
    changed({ email })
    return insertSuperAdmin(email, trx)
  })
}

/** The same within a transaction, for seeds. */
export async function insertSuperAdmin(email: string, trx: TransactionClientContract) {
  await serialize(trx, 'super_admins')
  const admin = await SuperAdmin.firstOrCreate({ email }, {}, { client: trx })
  return { admin, created: admin.$isLocal }
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
}

/** Who is not inactive: a super admin without a user record counts (specification 4.5, rule 1). */
async function activeSuperAdmins(trx: TransactionClientContract): Promise<string[]> {
  const admins = await SuperAdmin.query({ client: trx }).whereNotIn('email', (inactive) =>
    inactive.from('users').where('active', false).select('email')
  )
  return admins.map(({ email }) => email)
}
