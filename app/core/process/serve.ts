import { Ignitor } from '@adonisjs/core'
import type { ApplicationService } from '@adonisjs/core/types'
import type { createHttpServer } from '#core/http/http_server'
import { APP_ROOT, importFromRoot } from '#core/process/root'

/** @param prepare Called with the application before it boots */
export async function serve(prepare: (app: ApplicationService) => void = () => {}) {
  // Imported after the settings have been checked.
  let createServer!: typeof createHttpServer
  await new Ignitor(APP_ROOT, { importer: importFromRoot })
    .tap((app) => {
      app.booting(async () => {
        await import('#start/env')
      })
      app.booted(async () => {
        const module = await import('#core/http/http_server')
        createServer = module.createHttpServer
      })
      prepare(app)
    })
    .httpServer()
    .start((handle) => createServer(handle))
}
