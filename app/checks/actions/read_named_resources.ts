import { databaseMoment } from '#core/database/active_rows'
import { usesPostgres } from '#core/database/dialect'
import { byBytes } from '#core/values/byte_order'
import { CooperativeQueue } from '#core/values/cooperative_queue'
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

/** Each can have 16 KiB of properties, which take many times as much memory once parsed. */
const MOST_WITH_PROPERTIES = 100

/** However many requests parse properties, other requests get turns in between. */
const parsing = new CooperativeQueue()

/** Reads the resources of a type that the catalog or an override names, by id in byte order. */
export async function namedResources({ scope, permission, now }: NamedBy) {
  const { email, app, resourceType } = scope
  const [ids] = await resourceTypeIds.all([app, permission, resourceType])
  const dialect = usesPostgres() ? 'postgres' : 'sqlite'
  const entityId = ids?.entity_id ?? null
  const permissionId = ids?.permission_id ?? null
  return async ({ after, wanted, readsCatalog, readsProperties }: Part) => {
    const listed = readsProperties ? Math.min(wanted, MOST_WITH_PROPERTIES) : wanted
    // Those of overrides are always read, for the conditions of overrides.
    const overriding = Math.min(wanted, MOST_WITH_PROPERTIES)
    const [catalogued, overridden] = await Promise.all([
      readsCatalog && entityId !== null
        ? cataloguedResources[dialect].all([entityId, after, listed + 1, Number(readsProperties)])
        : [],
      permissionId === null
        ? []
        : overriddenResources[dialect].all([
            entityId,
            after,
            overriding + 1,
            email,
            permissionId,
            resourceType,
            databaseMoment(now),
          ]),
    ])
    const ends = [endOf(catalogued, listed), endOf(overridden, overriding)]
    const isRead = ({ resource_id: id }: NamedResourceRow) =>
      ends.every((end) => end === null || byBytes(id, end) < 0)
    // A row with an override replaces the one from the catalog.
    const rows = new Map([...catalogued, ...overridden].map((row) => [row.resource_id, row]))
    const named = [...rows.values()]
      .filter(isRead)
      .sort((a, b) => byBytes(a.resource_id, b.resource_id))
    const items: NamedResource[] = []
    for (const row of named.slice(0, wanted)) {
      items.push(await parsing.run(() => toResource(row), { group: app, member: email }))
    }
    return { items, isLast: named.length <= wanted && ends.every((end) => end === null) }
  }
}

/** The id from which on the list has not been read; null if it has been read to its end. */
const endOf = (rows: NamedResourceRow[], most: number) =>
  rows.length > most ? rows[most].resource_id : null

function toResource(row: NamedResourceRow): NamedResource {
  const { resource_id: key, label, properties, granted, access_level: level, condition } = row
  return {
    key,
    label,
    properties: properties === null ? {} : JSON.parse(properties),
    override: granted === null ? null : { granted: Boolean(granted), level, condition },
  }
}
