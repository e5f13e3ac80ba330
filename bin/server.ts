import 'reflect-metadata'
import { startTracing } from '#start/tracing'

/**
 * One process of the service. `bin/main.ts` decides how many of these there are. Tracing comes before everything it is to
 * see, hence the imports in this order.
 */
await startTracing()
const { reportFailure } = await import('#start/report_failure')
const { serve } = await import('#start/serve')

await serve((app) => {
  app.listen('SIGTERM', () => app.terminate())
  app.listen('SIGINT', () => app.terminate())
}).catch(async (error) => {
  await reportFailure(error)
  process.exit(1)
})
