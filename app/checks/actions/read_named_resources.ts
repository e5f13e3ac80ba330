import { databaseMoment } from '#core/database/active_rows'
import { usesPostgres } from '#core/database/dialect'
import { byBytes } from '#core/values/byte_order'
import {
  type NamedResourceRow,
  cataloguedResources,
  overriddenResources,
  resourceTypeIds,
} from '#app/checks/queries/named_resources'
import type { OverrideFacts } from '#app/checks/values/access_facts'
import type { CheckScope } from '#app/checks/values/check_scope'

/** A resource that the catalog or an override of the user names. */
export interface NamedResource {
  /** The `resourceId`. */
  key: string
  label: string | null
  /** Those in the catalog, if they were read. */
  properties: Record<string, unknown>
  override: OverrideFacts | null
}

interface NamedBy {
  scope: Omit<CheckScope, 'resourceId'>
  permission: string
  /** In milliseconds. */
  now: number
}

interface Part {
  after: string
  wanted: number
  /** Whether resources without an override make a difference. */
  readsCatalog: boolean
  /** Whether their properties do. */
  readsProperties: boolean
}

/** Reads the resources of a type that the catalog or an override names, by id in byte order. */
export async function namedResources({ scope, permission, now }: NamedBy) {
  const { email, app, resourceType } = scope
  const [ids] = await resourceTypeIds.all([app, permission, resourceType])
  const dialect = usesPostgres() ? 'postgres' : 'sqlite'
  const entityId = ids?.entity_id ?? null
  const permissionId = ids?.permission_id ?? null
  return async ({ after, wanted, readsCatalog, readsProperties }: Part) => {
    const limit = wanted + 1
    const [catalogued, overridden] = await Promise.all([
      readsCatalog && entityId !== null
        ? cataloguedResources[dialect].all([entityId, after, limit, Number(readsProperties)])
        : [],
      permissionId === null
        ? []
        : overriddenResources[dialect].all([
            entityId,
            after,
            limit,
            email,
            permissionId,
            resourceType,
            databaseMoment(now),
          ]),
    ])
    // A row with an override replaces the one from the catalog.
    const rows = new Map([...catalogued, ...overridden].map((row) => [row.resource_id, row]))
    const named = [...rows.values()].sort((a, b) => byBytes(a.resource_id, b.resource_id))
    return { items: named.slice(0, wanted).map(toResource), isLast: named.length <= wanted }
  }
}

function toResource(row: NamedResourceRow): NamedResource {
  const { resource_id: key, label, properties, granted, access_level: level, condition } = row
  return {
    key,
    label,
    properties: properties === null ? {} : JSON.parse(properties),
    override: granted === null ? null : { granted: Boolean(granted), level, condition },
  }
}
