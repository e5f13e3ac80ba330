import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'

/** Origins that can call this service, in addition to those of approved instances. */
export default {
  origins: commaSeparated(env.get('CORS_ALLOWED_ORIGINS')),
  /** For front ends in development, on any port. */
  allowsLoopback: !app.inProduction,
}
