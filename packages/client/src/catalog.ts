import type { Client } from 'openapi-fetch'
import type { paths } from './api.ts'
import type { CataloguedResource, SavedResources } from './types.ts'
import { unwrap } from './unwrap.ts'

const MAX_RESOURCES = 1_000
/** Half of what a service accepts by default. */
const MAX_BYTES = 524_288

const RESOURCES = '/api/internal/applications/{appCode}/entities/{code}/resources'

/** The entity of an application. */
export interface Catalog {
  app: string
  /** The code of the entity, which is the `resourceType` of checks. */
  type: string
}

/** Saves resources in requests of a size that a service accepts, and adds up the results. */
export async function saveInRequests(
  resources: Iterable<CataloguedResource>,
  save: (request: CataloguedResource[]) => Promise<SavedResources>
): Promise<SavedResources> {
  const total: SavedResources = { created: 0, updated: 0, unchanged: 0 }
  for (const request of requestsOf(resources)) {
    const saved = await save(request)
    total.created += saved.created
    total.updated += saved.updated
    total.unchanged += saved.unchanged
  }
  return total
}

export function saveResources(
  api: Client<paths>,
  { app, type }: Catalog,
  resources: Iterable<CataloguedResource>
): Promise<SavedResources> {
  const params = { path: { appCode: app, code: type } }
  return saveInRequests(resources, async (request) => {
    const body = { resources: request }
    return (await unwrap(api.PUT(RESOURCES, { params, body }))).data
  })
}

export async function deleteResources(
  api: Client<paths>,
  { app, type }: Catalog,
  ids: Iterable<string>
): Promise<number> {
  const params = { path: { appCode: app, code: type } }
  let total = 0
  for (const resourceIds of requestsOf(new Set(ids))) {
    const body = { resourceIds }
    const { data } = await unwrap(api.POST(`${RESOURCES}/delete`, { params, body }))
    total += data.deleted
  }
  return total
}

function* requestsOf<Item>(items: Iterable<Item>): Generator<Item[], void, undefined> {
  let [request, bytes]: [Item[], number] = [[], 0]
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length + 1
    if (request.length === MAX_RESOURCES || bytes + size > MAX_BYTES) {
      if (request.length > 0) yield request
      ;[request, bytes] = [[], 0]
    }
    request.push(item)
    bytes += size
  }
  if (request.length > 0) yield request
}
