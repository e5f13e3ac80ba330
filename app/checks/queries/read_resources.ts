import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { inByteOrder, usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { isOneOf, listValue, selectRows } from '#core/database/select_rows'
import { type ResourceName, keyOf } from '#app/checks/previews/rights'

export interface EntityCode {
  id: number
  code: string
}

export function readEntities(applicationId: number, trx: TransactionClientContract) {
  return selectRows<EntityCode>(trx, 'select id, code from entities where application_id = ?', [
    applicationId,
  ])
}

/** How many resources the catalogs of the entities have. */
export async function countResources(entities: EntityCode[], trx: TransactionClientContract) {
  const [{ total }] = await selectRows<{ total: number | string }>(
    trx,
    `select count(*) as total from resources where ${isOneOf('entity_id')}`,
    [listValue(entities.map(({ id }) => id))]
  )
  return Number(total)
}

export interface ResourceRow {
  resource_id: string
  /** JSON; null if they were not asked for. */
  properties: string | null
}

/** In byte order, after an id. */
export function readCatalog(
  { entityId, after, limit, withProperties }: CatalogPart,
  trx: TransactionClientContract
) {
  const ordered = inByteOrder[usesPostgres() ? 'postgres' : 'sqlite']('resource_id')
  return selectRows<ResourceRow>(
    trx,
    `select resource_id, ${withProperties ? 'properties' : 'null as properties'} from resources
     where entity_id = ? and ${ordered} > ? order by ${ordered} limit ?`,
    [entityId, after, limit]
  )
}

interface CatalogPart {
  entityId: number
  after: string
  limit: number
  withProperties: boolean
}

const NAMED = `o.resource_type as type, o.resource_id as id from resource_overrides o
  join permissions p on p.id = o.permission_id and p.application_id = ?`
const NOT_CATALOGUED = `not exists (
    select 1 from entities e join resources r on r.entity_id = e.id
    where e.application_id = ? and e.code = o.resource_type and r.resource_id = o.resource_id
  )`

/** The resources that overrides name, whether or not they count now, and no catalog has. */
export function readUncatalogued(
  applicationId: number,
  limit: number,
  trx: TransactionClientContract
) {
  return selectRows<ResourceName>(trx, `select distinct ${NAMED} where ${NOT_CATALOGUED} limit ?`, [
    applicationId,
    applicationId,
    limit,
  ])
}

/** The resources that overrides of these users name, whether or not they count now. */
export function readNamedBy(
  emails: string[],
  applicationId: number,
  trx: TransactionClientContract
) {
  return selectRows<ResourceName>(trx, `select distinct ${NAMED} where ${isOneOf('o.email')}`, [
    applicationId,
    listValue(emails),
  ])
}

/** The properties of those resources that the catalog has, as JSON, by `keyOf`. */
export async function readPropertiesOf(
  applicationId: number,
  names: ResourceName[],
  trx: TransactionClientContract
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const { source } = jsonRows({ type: 'text', id: 'text' }, '?')
  const rows = await selectRows<ResourceName & { properties: string }>(
    trx,
    `select given.type, given.id, r.properties from ${source}
     join entities e on e.application_id = ? and e.code = given.type
     join resources r on r.entity_id = e.id and r.resource_id = given.id`,
    [JSON.stringify(names), applicationId]
  )
  return new Map(rows.map(({ properties, ...name }) => [keyOf(name), properties]))
}
