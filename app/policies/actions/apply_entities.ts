import { type EntityFields, createEntity } from '#app/applications/actions/create_entity'
import { deleteEntity } from '#app/applications/actions/delete_entity'
import { updateEntity } from '#app/applications/actions/update_entity'
import Entity from '#app/applications/models/entity'
import type { Applying } from '#app/policies/actions/applying'
import { eachChange } from '#app/policies/actions/each_change'

export async function applyEntities(applying: Applying) {
  const { code: appCode } = applying.application
  const ids = await entityIds(applying)
  await eachChange(applying, 'entity', ['add'], ([code], { after }) =>
    createEntity(appCode, { code, ...(after as Omit<EntityFields, 'code'>) })
  )
  await eachChange(applying, 'entity', ['change'], ([code], { after }) =>
    updateEntity(appCode, ids.get(code)!, after!)
  )
}

export async function removeEntities(applying: Applying) {
  const ids = await entityIds(applying)
  await eachChange(applying, 'entity', ['remove'], ([code]) =>
    deleteEntity(applying.application.code, ids.get(code)!)
  )
}

async function entityIds({ application, trx }: Applying): Promise<Map<string, number>> {
  const entities = await Entity.query({ client: trx })
    .where('applicationId', application.id)
    .select('id', 'code')
  return new Map(entities.map(({ id, code }) => [code, id]))
}
