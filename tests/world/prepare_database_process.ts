import { once } from 'node:events'
import { Ignitor } from '@adonisjs/core'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { APP_ROOT, importFromRoot } from '#core/process/root'

/**
 * Prepares the database as a starting service does. Prints `ready` and starts when stdin ends, so
 * that several processes can start at once. `STOP_AFTER` suspends it after that many migrations.
 */
const stopAfter = Number(process.env.STOP_AFTER || Number.POSITIVE_INFINITY)
let completed = 0
const emit = MigrationRunner.prototype.emit
MigrationRunner.prototype.emit = function (event, ...details) {
  if (event === 'migration:completed' && ++completed === stopAfter) {
    process.kill(process.pid, 'SIGSTOP')
  }
  return emit.call(this, event, ...details)
}

const app = new Ignitor(APP_ROOT, { importer: importFromRoot }).createApp('console')
await app.init()
await app.boot()
const { prepareDatabase } = await import('#database/prepare_database')

process.stdout.write('ready\n')
await once(process.stdin.resume(), 'end')
await prepareDatabase()
await app.terminate()
