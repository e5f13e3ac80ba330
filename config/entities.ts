import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'

/**
 * Origins that a `listEndpoint` may point to (applications.md#allowed-list-origins): the caller's token travels there, so only the
 * operator can extend the list.
 */
export default {
  allowedOrigins: commaSeparated(
    env.get('ENTITY_ALLOWED_ORIGINS') ?? (app.inProduction ? '' : '*')
  ),
}
