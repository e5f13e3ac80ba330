import cluster from 'node:cluster'
import { reportFailure } from '#core/process/report_failure'

/**
 * Runs `WEB_CONCURRENCY` workers under a parent that replaces those that exit or block. Outside
 * production a single worker has no parent, so that a debugger can pause it.
 */
const { default: env } = await import('#start/env').catch(async (error) => {
  await reportFailure(error)
  process.exit(1)
})
const workers = env.get('WEB_CONCURRENCY') ?? 1

if (cluster.isPrimary && (workers > 1 || process.env.NODE_ENV === 'production')) {
  const { runWorkers } = await import('#core/process/workers')
  await runWorkers(workers)
} else await import('./server.ts')
