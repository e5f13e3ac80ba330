import { isActive } from '#core/database/active_rows'
import { inByteOrder } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'
import type { AccessLevel } from '#app/permissions/values/access_level'

export interface ResourceTypeRow {
  /** Null if the application does not define the permission. */
  permission_id: number | null
  /** Null if the catalog does not have the resource type. */
  entity_id: number | null
}

export const resourceTypeIds = new PreparedQuery<ResourceTypeRow>(
  'resource_type_ids',
  `select p.id as permission_id, e.id as entity_id
   from applications a
   left join permissions p on p.application_id = a.id and p.code = $2
   left join entities e on e.application_id = a.id and e.code = $3
   where a.code = $1`
)

/** Null in the last three columns if there is no override. */
export interface NamedResourceRow {
  resource_id: string
  label: string | null
  /** JSON; null if they were not asked for, or are not in the catalog. */
  properties: string | null
  granted: boolean | number | null
  access_level: AccessLevel | null
  condition: string | null
}

function inBothDialects(name: string, sql: (ordered: (column: string) => string) => string) {
  return {
    postgres: new PreparedQuery<NamedResourceRow>(name, sql(inByteOrder.postgres)),
    sqlite: new PreparedQuery<NamedResourceRow>(name, sql(inByteOrder.sqlite)),
  }
}

/** In byte order. `$4` is 1 to read the properties. */
export const cataloguedResources = inBothDialects(
  'catalogued_resources',
  (ordered) => `
    select r.resource_id, r.label, case when $4 = 1 then r.properties end as properties,
      null as granted, null as access_level, null as condition
    from resources r
    where r.entity_id = $1 and ${ordered('r.resource_id')} > $2
    order by ${ordered('r.resource_id')} limit $3`
)

/** The resources that overrides of a user name, in byte order. */
export const overriddenResources = inBothDialects(
  'overridden_resources',
  (ordered) => `
    select o.resource_id, r.label, r.properties, o.granted, o.access_level, o.condition
    from resource_overrides o
    left join resources r on r.entity_id = $1 and r.resource_id = o.resource_id
    where o.email = $4 and o.permission_id = $5 and o.resource_type = $6
      and ${ordered('o.resource_id')} > $2 and ${isActive('o', '$7')}
    order by ${ordered('o.resource_id')} limit $3`
)
