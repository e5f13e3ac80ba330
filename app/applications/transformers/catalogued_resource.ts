import type { PlainRow } from '#core/database/plain_rows'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type Resource from '#app/applications/models/resource'

export interface CataloguedResource {
  resourceId: string
  /** What people see instead of the id. */
  label: string | null
  /** Facts about the resource, such as its status. */
  properties: Record<string, unknown>
  /** When the label or the properties last changed. */
  updatedAt: string
}

export function cataloguedResource(resource: PlainRow<Resource>): CataloguedResource {
  return {
    resourceId: resource.resourceId,
    label: resource.label,
    properties: resource.properties,
    updatedAt: isoTimestamp(resource.updatedAt),
  }
}
