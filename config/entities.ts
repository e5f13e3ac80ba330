import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'

/**
 * Origins of a `listEndpoint`, which receive callers' tokens
 * (applications.md#allowed-list-origins).
 */
export default {
  allowedOrigins: commaSeparated(
    env.get('ENTITY_ALLOWED_ORIGINS') ?? (app.inProduction ? '' : '*')
  ),
}
