import cluster from 'node:cluster'
import { reportFailure } from '#start/report_failure'

/**
 * The service: one process, or as many workers as `WEB_CONCURRENCY` says.
 */
const { default: env } = await import('#start/env').catch(async (error) => {
  await reportFailure(error)
  process.exit(1)
})
const workers = env.get('WEB_CONCURRENCY') ?? 1

if (cluster.isPrimary && workers > 1) {
  const { runWorkers } = await import('#start/workers')
  await runWorkers(workers)
} else await import('./server.ts')
