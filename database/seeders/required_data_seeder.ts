import { BaseSeeder } from '@adonisjs/lucid/seeders'
import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { normalizeEmail } from '#core/values/email'
import { logSeededSuperAdmins, seedSuperAdmins } from '#app/permissions/actions/seed_super_admins'
import { seedAuth } from '#app/identity_provider/auth_templates/seed_auth'
import authConfig from '#config/auth'

/**
 * Creates missing languages, brands, system templates and super admins. Safe to run concurrently.
 */
export async function seedRequiredData() {
  const superAdmins = authConfig.superAdmins.map(requireEmail)
  const seeded = await accessTransaction(async (trx, changed) => {
    await lockUntilCommit(trx, 'seed')
    await seedAuth(trx)
    const added = await seedSuperAdmins(superAdmins, trx)
    added.forEach((email) => changed({ email }))
    return added
  })
  logSeededSuperAdmins(seeded)
}

/** For `db:seed`. */
export default class RequiredDataSeeder extends BaseSeeder {
  override run() {
    return seedRequiredData()
  }
}

function requireEmail(setting: string) {
  const email = normalizeEmail(setting)
  if (email === null) throw new Error(`SUPER_ADMINS: "${setting}" is not an e-mail address`)
  return email
}
