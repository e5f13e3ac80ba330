import db from '@adonisjs/lucid/services/db'

/** Removes stored worlds, so that the lists that other tests read stay short. */
export async function deleteWorlds() {
  await db.transaction(async (trx) => {
    await trx.from('applications').where('id', '<', 0).delete()
    for (const table of ['users', 'super_admins']) {
      await trx.from(table).where('email', 'like', '%@worlds.example').delete()
    }
  })
}
