import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { reportFailure } from '#start/report_failure'
import { APP_ROOT, importFromRoot } from '#start/root'

/**
 * One process of the service. `bin/main.ts` decides how many of these there are.
 */
await new Ignitor(APP_ROOT, { importer: importFromRoot })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    app.listen('SIGTERM', () => app.terminate())
    app.listen('SIGINT', () => app.terminate())
  })
  .httpServer()
  .start()
  .catch(async (error) => {
    await reportFailure(error)
    process.exit(1)
  })
