import { changingAccess } from '#core/database/changing_access'
import { serialize } from '#core/database/serialize'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { type Seeded, seedAuth } from '#app/identity_provider/actions/seed_auth'

/** Undoes what a dry run has written. */
class DryRun extends Error {
  constructor(readonly seeded: Seeded) {
    super('Nothing is kept of a dry run')
  }
}

/** Seeds on its own, beside starting services; a dry run answers the same and changes nothing. */
export async function runSeedAuth({ dryRun }: { dryRun: boolean }): Promise<Seeded> {
  try {
    return await changingAccess(async (trx, changed) => {
      await serialize(trx, 'seed')
      const seeded = await seedAuth(trx)
      if (dryRun) throw new DryRun(seeded)
      if (seeded.length > 0) changed({ application: PANEL_APPLICATION })
      return seeded
    })
  } catch (error) {
    if (error instanceof DryRun) return error.seeded
    throw error
  }
}
