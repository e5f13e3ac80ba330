import { accessTransaction } from '#core/database/access_transaction'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { type SeedReport, seedAuth } from '#app/identity_provider/auth_templates/seed_auth'

export async function runSeedAuth({ dryRun }: { dryRun: boolean }): Promise<SeedReport> {
  return accessTransaction(
    async (trx, changed) => {
      await lockUntilCommit(trx, 'seed')
      const seeded = await seedAuth(trx)
      if (seeded.length > 0) changed({ application: PANEL_APPLICATION })
      return seeded
    },
    { dryRun }
  )
}
