import cluster from 'node:cluster'
import { reportFailure } from '#start/report_failure'

/**
 * The service: `WEB_CONCURRENCY` workers, and a parent that replaces those that exit or block. A
 * single worker has a parent in production only, so that elsewhere a debugger can pause it.
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
