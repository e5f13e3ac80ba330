import entitiesConfig from '#config/entities'
import { EntityOriginNotAllowed } from '#app/applications/exceptions'

/**
 * Checks a `listEndpoint` against `ENTITY_ALLOWED_ORIGINS`: callers' tokens travel there, so an administrator must not
 * be able to choose the host (applications.md#allowed-list-origins).
 *
 * @throws EntityOriginNotAllowed
 */
export function requireAllowedOrigin(listEndpoint: string) {
  const { allowedOrigins } = entitiesConfig
  const { origin } = new URL(listEndpoint)
  if (!allowedOrigins.includes('*') && !allowedOrigins.includes(origin)) {
    throw new EntityOriginNotAllowed({ details: { origin } })
  }
}
