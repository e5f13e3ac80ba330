import entitiesConfig from '#config/entities'
import { EntityOriginNotAllowed } from '#app/applications/exceptions'

/**
 * Limits a `listEndpoint` to `ENTITY_ALLOWED_ORIGINS`: it receives callers' tokens, so
 * administrators must not choose its host freely (applications.md#allowed-list-origins).
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
