import cluster from 'node:cluster'
import { reportFailure } from '#start/report_failure'

/**
 * The service: as many workers as `WEB_CONCURRENCY` says, and a parent that replaces those that die
 * or stand still. A single one has a parent in production only: elsewhere a debugger may hold it
 * for as long as it likes.
 */
const { default: env } = await import('#start/env').catch(async (error) => {
  await reportFailure(error)
  process.exit(1)
})
const workers = env.get('WEB_CONCURRENCY') ?? 1

if (cluster.isPrimary && (workers > 1 || process.env.NODE_ENV === 'production')) {
  const { runWorkers } = await import('#start/workers')
  await runWorkers(workers)
} else await import('./server.ts')
