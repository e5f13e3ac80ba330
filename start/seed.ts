import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { normalizeEmail } from '#core/values/email'
import { reportSeeded, seedSuperAdmins } from '#app/permissions/actions/seed_super_admins'
import { seedAuth } from '#app/identity_provider/auth_templates/seed_auth'
import authConfig from '#config/auth'

/**
 * What must exist before the service is of use: languages, the default brand, the panel's
 * application, the templates of the identity provider's e-mails and the super admins of the
 * settings, each of them once. Runs at every start, in any number of processes, and changes only
 * what is missing.
 */
export async function seed() {
  const superAdmins = authConfig.superAdmins.map(requireEmail)
  const seeded = await accessTransaction(async (trx, changed) => {
    await lockUntilCommit(trx, 'seed')
    await seedAuth(trx)
    const added = await seedSuperAdmins(superAdmins, trx)
    added.forEach((email) => changed({ email }))
    return added
  })
  reportSeeded(seeded)
}

function requireEmail(setting: string) {
  const email = normalizeEmail(setting)
  if (email === null) throw new Error(`SUPER_ADMINS: "${setting}" is not an e-mail address`)
  return email
}
