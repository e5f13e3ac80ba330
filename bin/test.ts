import 'reflect-metadata'
import { Ignitor, prettyPrintError } from '@adonisjs/core'
import { configure, processCLIArgs, run } from '@japa/runner'
import { APP_ROOT, importFromRoot } from '#core/process/root'
import { prepareTestWorld } from '#tests/world/prepare'

/**
 * Runs the tests of one lane: the files that `TEST_FILES` lists, on the database that
 * `DB_CONNECTION` names. `tests/run.ts` runs it for each lane.
 */
await prepareTestWorld()

const files = process.env.TEST_FILES!.split('\n')

new Ignitor(APP_ROOT, { importer: importFromRoot })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
  })
  .testRunner()
  .configure(async (app) => {
    const { configureSuite, plugins, reporters, runnerHooks } = await import('#tests/bootstrap')
    processCLIArgs(process.argv.slice(2))
    configure({
      ...app.rcFile.tests,
      suites: app.rcFile.tests.suites.map((suite) => ({
        ...suite,
        files: files.filter((file) => file.startsWith(`tests/${suite.name}/`)),
      })),
      plugins,
      reporters,
      ...runnerHooks,
      configureSuite,
      teardown: [...(runnerHooks.teardown ?? []), () => app.terminate()],
    })
  })
  .run(async (app) => {
    await run()
    await app.terminate()
  })
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
