import { PreparedQuery } from '#core/database/prepared_query'

/** One row if the application exists; `entity` is null if it has none with this code. */
export const typeInApplication = new PreparedQuery<{ entity: number | null }>(
  'type_in_application',
  `select e.id as entity
   from applications a
   left join entities e on e.application_id = a.id and e.code = $2
   where a.code = $1`
)
