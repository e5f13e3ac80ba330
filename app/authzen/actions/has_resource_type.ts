import { ApplicationNotFound } from '#app/applications/exceptions'
import { accessCaches } from '#app/checks/invalidation/access_caches'
import { typeInApplication } from '#app/authzen/queries/type_in_application'
import { RowCache } from '#app/authzen/values/row_cache'

/** Cannot occur in a code. */
const SEPARATOR = '\u0000'

/** By application and code. */
const types = accessCaches.add(
  new RowCache<true>(
    ({ email, application }, key) =>
      email === undefined && (application === undefined || key.startsWith(application + SEPARATOR))
  )
)

/**
 * Whether the catalog of the application has an entity with this code.
 *
 * @throws ApplicationNotFound
 */
export async function hasResourceType(appCode: string, type: string): Promise<boolean> {
  const key = appCode + SEPARATOR + type
  return types.get(key) ?? (await types.load(key, () => readType(appCode, type))) ?? false
}

async function readType(appCode: string, type: string): Promise<true | undefined> {
  const [row] = await typeInApplication.all([appCode, type])
  if (!row) throw new ApplicationNotFound()
  return row.entity === null ? undefined : true
}
