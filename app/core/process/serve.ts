import { Ignitor } from '@adonisjs/core'
import type { ApplicationService } from '@adonisjs/core/types'
import type { createHttpServer } from '#core/http/http_server'
import { APP_ROOT, importFromRoot } from '#core/process/root'

/**
 * @param prepare Called with the application before it boots
 * @param loadCreateServer Called once the settings have been checked
 */
export async function serve(
  prepare: (app: ApplicationService) => void = () => {},
  loadCreateServer: () => Promise<typeof createHttpServer> = loadDefault
) {
  let createServer!: typeof createHttpServer
  await new Ignitor(APP_ROOT, { importer: importFromRoot })
    .tap((app) => {
      app.booting(async () => {
        await import('#start/env')
      })
      app.booted(async () => {
        createServer = await loadCreateServer()
      })
      prepare(app)
    })
    .httpServer()
    .start((handle) => createServer(handle))
}

async function loadDefault() {
  const { createHttpServer } = await import('#core/http/http_server')
  return createHttpServer
}
