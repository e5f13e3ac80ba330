import { isDatabaseReady } from '#core/database/readiness'
import { isDatabaseWritable } from '#core/database/writable'
import { DatabaseUnavailable } from '#core/exceptions/problems'

/** For whoever decides whether this process gets traffic; no authentication, nothing secret. */
export default class HealthController {
  /** Says that the process is up. */
  async live() {
    return { status: 'ok' as const }
  }

  /** Says whether the database can be reached, is migrated and takes writes. */
  async ready() {
    if ((await isDatabaseReady()) && (await isDatabaseWritable())) return { status: 'ok' as const }
    throw new DatabaseUnavailable({
      detail: 'The database cannot be reached, is not migrated or takes no writes',
      headers: { 'retry-after': '1' },
    })
  }
}
