import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { reportFailure } from '#core/process/report_failure'
import { APP_ROOT, importFromRoot } from '#core/process/root'

new Ignitor(APP_ROOT, { importer: importFromRoot })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env').catch(async (error) => {
        await reportFailure(error)
        process.exit(1)
      })
    })
    app.listen('SIGTERM', () => app.terminate())
    app.listenIf(app.managedByPm2, 'SIGINT', () => app.terminate())
  })
  .ace()
  .handle(process.argv.splice(2))
  .catch(async (error) => {
    process.exitCode = 1
    await reportFailure(error)
  })
