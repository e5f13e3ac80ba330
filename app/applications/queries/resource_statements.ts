import { jsonRows } from '#core/database/json_rows'

/** The kind of database is known only once the application has booted. */
export function resourceStatements() {
  const { source } = jsonRows(
    {
      place: 'integer',
      resource_id: 'text',
      has_label: 'boolean',
      label: 'text',
      properties: 'text',
    },
    ':given'
  )
  return {
    /**
     * Updates those that differ. SQLite keeps the order of a cross join, so it reads no other rows.
     */
    update: `with changed as materialized (
        select r.id,
          case when given.has_label then given.label else r.label end as label,
          coalesce(given.properties, r.properties) as properties
        from ${source} cross join resources r
        where r.entity_id = :entityId and r.resource_id = given.resource_id
      )
      update resources set
        label = changed.label, properties = changed.properties, updated_at = :now
      from changed
      where resources.id = changed.id
        and (resources.label is distinct from changed.label
          or resources.properties <> changed.properties)`,
    /** Adds those that are missing, in their order. */
    insert: `insert into resources
        (entity_id, resource_id, label, properties, created_at, updated_at)
      select :entityId, given.resource_id, given.label, coalesce(given.properties, '{}'), :now, :now
      from ${source}
      where not exists (
        select 1 from resources
        where resources.entity_id = :entityId and resources.resource_id = given.resource_id
      )
      order by given.place`,
  }
}
