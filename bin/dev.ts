import { DevServer } from '@adonisjs/assembler'
import { APP_ROOT } from '#core/process/root'
import { startDevelopmentWorld } from '#development/world'
import rcFile from '../adonisrc.ts'

/**
 * `npm run dev`: like `npm start`, with a service that reloads what changes. Controllers and
 * middleware are replaced while it runs; other changes restart it. The world keeps running.
 */
await startDevelopmentWorld()

const server = new DevServer(APP_ROOT, {
  hmr: true,
  clearScreen: false,
  nodeArgs: [],
  scriptArgs: [],
  metaFiles: [],
  hooks: rcFile.hooks,
})
server.scriptFile = 'bin/development_server.ts'
server.onError(() => process.exit(1)).onClose((code) => process.exit(code))
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void server.close().finally(() => process.exit()))
}
await server.start()
