import app from '@adonisjs/core/services/app'
import { isDatabaseReady } from '#core/database/is_database_ready'
import { isDatabaseWritable } from '#core/database/is_database_writable'
import { DatabaseUnavailable, Starting } from '#core/exceptions/problems'

/** Probes for load balancers and orchestrators. */
export default class HealthController {
  /** Check that the process is running. */
  async live() {
    return { status: 'ok' as const }
  }

  /** Check that the service is ready. The database is reachable, migrated and writable. */
  async ready() {
    // The public listener opens before the internal one.
    if (app.getEnvironment() === 'web' && !app.isReady) {
      throw new Starting({ headers: { 'retry-after': '1' } })
    }
    if ((await isDatabaseReady()) && (await isDatabaseWritable())) return { status: 'ok' as const }
    throw new DatabaseUnavailable({
      detail: 'The database is unreachable, not migrated or not writable',
      headers: { 'retry-after': '1' },
    })
  }
}
