import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

/**
 * The service as production runs it. The tests' settings hold every secret; the `.env` of a
 * checkout adds nothing, because the service looks for it in an empty folder.
 *
 * @throws Error with the service's output when it does not become ready
 *
 * @example
 * const service = await startProductionService({ ...sameDatabase() })
 * cleanup(() => service.stop())
 */
export async function startProductionService(
  settings: ServiceSettings = {},
  entry?: string
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-production-'))
  const production = { NODE_ENV: 'production', ENV_PATH: folder, LOG_LEVEL: 'info' }
  try {
    const service = await startService({ ...production, ...settings }, entry)
    return { ...service, stop: () => service.stop().finally(removeFolder) }
  } catch (error) {
    removeFolder()
    throw error
  }

  function removeFolder() {
    rmSync(folder, { recursive: true, force: true })
  }
}
