import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { commaSeparated } from '#core/values/comma_separated'

/** Pages of which origins may call this service from a browser, beside those of approved instances. */
export default {
  origins: commaSeparated(env.get('CORS_ALLOWED_ORIGINS')),
  /** For front ends under development, on any port. */
  allowsLoopback: !app.inProduction,
}
