import { PreparedQuery } from '#core/database/prepared_query'

export const propertiesOfResource = new PreparedQuery<{ properties: string }>(
  'properties_of_resource',
  `select r.properties
   from applications a
   join entities e on e.application_id = a.id and e.code = $2
   join resources r on r.entity_id = e.id and r.resource_id = $3
   where a.code = $1`
)
