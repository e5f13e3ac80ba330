import type Entity from '#app/applications/models/entity'

export function entityResource(entity: Entity) {
  return {
    id: entity.id,
    code: entity.code,
    name: entity.name,
    description: entity.description,
    idLabel: entity.idLabel,
    listEndpoint: entity.listEndpoint,
  }
}
