import 'reflect-metadata'
import { startTracing } from '#core/process/tracing'

/** One process of the service. Tracing must start before the modules that it instruments. */
async function fail(error: unknown) {
  const { reportFailure } = await import('#core/process/report_failure')
  await reportFailure(error)
  process.exit(1)
}

await startTracing().catch(fail)
const { serve } = await import('#core/process/serve')
const { startHeartbeat } = await import('#core/process/watchdog')

await serve((app) => {
  app.listen('SIGTERM', () => app.terminate())
  app.listen('SIGINT', () => app.terminate())
}).catch(fail)
startHeartbeat()
