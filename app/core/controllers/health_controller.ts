import { isDatabaseReady } from '#core/database/readiness'
import { DatabaseUnavailable } from '#core/exceptions/problems'

/** For whoever decides whether this process gets traffic; no authentication, nothing secret (decisions 8.2). */
export default class HealthController {
  /** Says that the process is up. */
  async live() {
    return { status: 'ok' as const }
  }

  /** Says whether the database can be reached and is migrated. */
  async ready() {
    if (await isDatabaseReady()) return { status: 'ok' as const }
    throw new DatabaseUnavailable({
      detail: 'The database cannot be reached or is not migrated',
      headers: { 'retry-after': '1' },
    })
  }
}
