import { propertiesOfResource } from '#app/applications/queries/properties_of_resource'

interface ResourceName {
  /** The code of the application. */
  app: string
  resourceType: string
  resourceId: string
}

/** Undefined if the resource is not in the catalog. */
export async function findResourceProperties({
  app,
  resourceType,
  resourceId,
}: ResourceName): Promise<Record<string, unknown> | undefined> {
  const [row] = await propertiesOfResource.all([app, resourceType, resourceId])
  return row && JSON.parse(row.properties)
}
