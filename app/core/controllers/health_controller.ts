import type { HttpContext } from '@adonisjs/core/http'
import { isDatabaseReady } from '#core/database/readiness'

/** For whoever decides whether this process gets traffic; no authentication, nothing secret (decisions 8.2). */
export default class HealthController {
  /** The process is up. */
  async live() {
    return { status: 'ok' as const }
  }

  /** The database can be reached and is migrated. */
  async ready({ response }: HttpContext) {
    if (await isDatabaseReady()) return { status: 'ok' as const }
    return response.serviceUnavailable({ status: 'unavailable' as const })
  }
}
