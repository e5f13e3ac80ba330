import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { byBytes } from '#core/values/byte_order'
import {
  type EntityCode,
  countResources,
  readCatalog,
  readEntities,
  readPropertiesOf,
  readUncatalogued,
} from '#app/checks/queries/read_resources'
import { PREVIEW_LIMITS, requireWithin } from '#app/checks/previews/preview_too_large'
import { type ResourceName, keyOf } from '#app/checks/previews/rights'

export interface SpaceResource extends ResourceName {
  /** JSON; null if it is in no catalog, or properties do not matter. */
  properties: string | null
}

/** Some resources in their order. */
export interface Stretch {
  resources: SpaceResource[]
  /** Whether there are none after them. */
  isLast: boolean
}

export function byName(a: ResourceName, b: ResourceName): number {
  return byBytes(a.type, b.type) || byBytes(a.id, b.id)
}

/** How many resources are read at once. */
const BATCH = 1_000

/**
 * The resources of an application that the catalog has or an override names, by type and id. There
 * can be millions, so only stretches of them are read.
 */
export class ResourceSpace {
  private constructor(
    readonly size: number,
    private readonly entities: EntityCode[],
    private readonly uncatalogued: ResourceName[],
    private readonly trx: TransactionClientContract
  ) {}

  /**
   * @param alsoNamed by overrides that do not exist yet
   * @throws PreviewTooLarge
   */
  static async of(
    applicationId: number,
    alsoNamed: ResourceName[],
    trx: TransactionClientContract
  ): Promise<ResourceSpace> {
    const entities = await readEntities(applicationId, trx)
    const limit = PREVIEW_LIMITS.uncataloguedResources + 1
    const named = await readUncatalogued(applicationId, limit, trx)
    const catalogued = await readPropertiesOf(applicationId, alsoNamed, trx)
    const added = alsoNamed.filter((name) => !catalogued.has(keyOf(name)))
    const uncatalogued = [
      ...new Map([...named, ...added].map((name) => [keyOf(name), name])).values(),
    ].sort(byName)
    requireWithin('uncataloguedResources', uncatalogued.length)
    const size = uncatalogued.length + (await countResources(entities, trx))
    return new ResourceSpace(size, entities.sort(byCode), uncatalogued, trx)
  }

  /** The first ones after a name, without their properties. */
  after(name: ResourceName | null, limit: number): Promise<Stretch> {
    return this.#read(name, limit, false)
  }

  /** @throws PreviewTooLarge */
  async withProperties(): Promise<Stretch> {
    requireWithin('resourcesWithConditions', this.size)
    const resources: SpaceResource[] = []
    let characters = 0
    for (;;) {
      const part = await this.#read(resources.at(-1) ?? null, BATCH, true)
      for (const { properties } of part.resources) characters += properties?.length ?? 0
      requireWithin('properties', characters)
      resources.push(...part.resources)
      if (part.isLast) return { resources, isLast: true }
    }
  }

  async #read(name: ResourceName | null, limit: number, withProperties: boolean) {
    const catalogued = await this.#catalogued(name, limit + 1, withProperties)
    const from = name === null ? 0 : this.uncatalogued.findIndex((each) => byName(each, name) > 0)
    const named = from === -1 ? [] : this.uncatalogued.slice(from, from + limit + 1)
    const merged = [...catalogued, ...named.map((each) => ({ ...each, properties: null }))]
    merged.sort(byName)
    return { resources: merged.slice(0, limit), isLast: merged.length <= limit }
  }

  async #catalogued(name: ResourceName | null, limit: number, withProperties: boolean) {
    const found: SpaceResource[] = []
    for (const { id: entityId, code: type } of this.entities) {
      const position = name === null ? 1 : byBytes(type, name.type)
      if (position < 0) continue
      if (found.length >= limit) break
      const part = { entityId, after: position === 0 ? name!.id : '', withProperties }
      const rows = await readCatalog({ ...part, limit: limit - found.length }, this.trx)
      for (const { resource_id: id, properties } of rows) found.push({ type, id, properties })
    }
    return found
  }
}

const byCode = (a: EntityCode, b: EntityCode) => byBytes(a.code, b.code)
