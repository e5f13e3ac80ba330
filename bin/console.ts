import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { actingAs } from '#core/audit/audit_actor'
import { reportFailure } from '#core/process/report_failure'
import { APP_ROOT, importFromRoot } from '#core/process/root'

const args = process.argv.splice(2)

const ace = new Ignitor(APP_ROOT, { importer: importFromRoot })
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

actingAs({ kind: 'command', name: args[0] }, () => ace.handle(args)).catch(async (error) => {
  process.exitCode = 1
  await reportFailure(error)
})
