import 'reflect-metadata'
import { reportFailure } from '#start/report_failure'
import { serve } from '#start/serve'

/**
 * One process of the service. `bin/main.ts` decides how many of these there are.
 */
await serve((app) => {
  app.listen('SIGTERM', () => app.terminate())
  app.listen('SIGINT', () => app.terminate())
}).catch(async (error) => {
  await reportFailure(error)
  process.exit(1)
})
