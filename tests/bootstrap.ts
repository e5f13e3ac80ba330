import { writeFileSync } from 'node:fs'
import app from '@adonisjs/core/services/app'
import testUtils from '@adonisjs/core/services/test_utils'
import { apiClient } from '@japa/api-client'
import { assert } from '@japa/assert'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import { spec } from '@japa/runner/reporters'
import type { Config, PluginFn } from '@japa/runner/types'
import '#tests/helpers/assert_problem'
import { seenParts } from '#tests/helpers/coverage'
import { collectFailures } from '#tests/helpers/failures'
import { measureFiles } from '#tests/helpers/seconds'
import { endAfterTimeout } from '#tests/helpers/timed_out_tests'
import type { Summary } from '#tests/lanes'

/** Leaves the counts, the failures and the responses seen where `tests/run.ts` finds them. */
const summarize: PluginFn = ({ emitter, runner }) => {
  const failures = collectFailures(emitter)
  const seconds = measureFiles(emitter)
  const filesLeft = endAfterTimeout(emitter, process.env.TEST_FILES!.split('\n'))
  let hasEnded = false
  emitter.on('runner:end', () => {
    hasEnded = true
  })
  process.on('exit', () => {
    // Without a file, it is not repeated: the tests that never ran would go unnoticed.
    if (!hasEnded && filesLeft.length === 0)
      failures.push({ title: 'The process ended before its last test', error: '' })
    const { aggregates } = runner.getSummary()
    const summary: Summary = { aggregates, failures, seconds, seen: seenParts(), filesLeft }
    writeFileSync(process.env.TEST_SUMMARY_FILE!, JSON.stringify(summary))
  })
}

export const plugins: Config['plugins'] = [assert(), apiClient(), pluginAdonisJS(app), summarize]

export const reporters: Config['reporters'] = { activated: ['spec'], list: [spec()] }

export const runnerHooks: Required<Pick<Config, 'setup' | 'teardown'>> = {
  setup: [
    async () => {
      if (process.env.TEST_WITHOUT_DATABASE) return
      const { migrate } = await import('#core/database/migrate')
      const { seedRequiredData } = await import('#database/seeders/required_data_seeder')
      const { keepEmptyDatabase } = await import('#tests/world/empty_database')
      await migrate()
      await seedRequiredData()
      await keepEmptyDatabase()
    },
  ],
  teardown: [
    async () => {
      await stopServing?.()
      const { issuer, smtp } = await import('#tests/world/prepare')
      await Promise.all([issuer.stop(), smtp.stop()])
    },
  ],
}

let stopServing: (() => Promise<void>) | undefined

/**
 * For all suites of this process: a client may still hold connections of a server that stops, and
 * send the first request of the next suite on one of them.
 */
async function serve() {
  const { createHttpServer } = await import('#core/http/http_server')
  const { watchResponses } = await import('#tests/helpers/watch_responses')
  return testUtils.httpServer().start((handler) => watchResponses(createHttpServer(handler)))
}

/** Tests over HTTP also fail if a response does not match the API description. */
export const configureSuite: Config['configureSuite'] = (suite) => {
  if (suite.name === 'unit') return
  suite.setup(async () => {
    const contract = await import('#tests/helpers/watch_responses')
    const { services } = await import('#tests/world/service')
    services.off('response', contract.checkResponse).on('response', contract.checkResponse)
    stopServing ??= await serve()
  })
  const requireContractAfter = async () => {
    const { requireContract } = await import('#tests/helpers/watch_responses')
    return () => requireContract()
  }
  // The last responses of other processes arrive after the last test.
  suite.teardown(async () => (await requireContractAfter())())
  suite.onGroup((group) => group.each.setup(requireContractAfter))
  suite.onTest((test) => test.setup(requireContractAfter))
  if (suite.name === 'browser') configureBrowserSuite(suite)
}

/** Tests in a browser also fail if one of their pages logs an error or violates its policy. */
const configureBrowserSuite: NonNullable<Config['configureSuite']> = (suite) => {
  suite.setup(async () => {
    const { startChromium, stopChromium } = await import('#tests/world/chromium')
    await startChromium()
    return stopChromium
  })
  const requireCleanPagesAfter = async () => {
    const { requireCleanPages } = await import('#tests/helpers/watch_pages')
    return requireCleanPages
  }
  suite.onGroup((group) => group.each.setup(requireCleanPagesAfter))
  suite.onTest((test) => test.setup(requireCleanPagesAfter))
}
