import type { createHttpServer } from '#core/http/http_server'
import { startTracing } from '#core/process/tracing'

/**
 * Runs a process of the service.
 *
 * @param loadCreateServer Called once the settings have been checked
 */
export async function runWorker(loadCreateServer?: () => Promise<typeof createHttpServer>) {
  // Tracing must start before the modules that it instruments.
  await startTracing().catch(fail)
  const { serve } = await import('#core/process/serve')
  const { startHeartbeat } = await import('#core/process/watchdog')
  const stopOnSignals: Parameters<typeof serve>[0] = (app) => {
    app.listen('SIGTERM', () => app.terminate())
    app.listen('SIGINT', () => app.terminate())
  }
  await serve(stopOnSignals, loadCreateServer).catch(fail)
  startHeartbeat()
}

async function fail(error: unknown) {
  const { reportFailure } = await import('#core/process/report_failure')
  await reportFailure(error)
  process.exit(1)
}
