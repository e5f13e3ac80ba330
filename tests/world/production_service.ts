import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

/**
 * Starts the service as in production. The `.env` of the checkout has no effect, because the
 * service looks for it in an empty folder.
 * @throws Error with the service's output if it does not become ready
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
