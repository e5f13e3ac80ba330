import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'

const PART = 50_000

/**
 * Deletes the catalogued resources of an entity, or of all entities of an application. One
 * statement for a large catalog would exceed the time limit of statements.
 */
export async function emptyCatalogs(
  of: { id: number } | { applicationId: number },
  trx: TransactionClientContract
) {
  const entities = await Entity.query({ client: trx })
    .where(of)
    .whereExists((resources) =>
      resources.from('resources').whereColumn('resources.entity_id', 'entities.id')
    )
  for (const entity of entities) await emptyCatalog(entity.id, trx)
}

async function emptyCatalog(entityId: number, trx: TransactionClientContract) {
  let after = 0
  for (;;) {
    const rest = () => Resource.query({ client: trx }).where({ entityId }).where('id', '>', after)
    const last = await rest()
      .select('id')
      .orderBy('id')
      .offset(PART - 1)
      .first()
    if (!last) return void (await rest().delete())
    await rest().where('id', '<=', last.id).delete()
    after = last.id
  }
}
