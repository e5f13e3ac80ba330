import cluster from 'node:cluster'
import { reportFailure } from '#core/process/report_failure'

/**
 * Runs `WEB_CONCURRENCY` workers under a parent that replaces those that exit or block. Outside
 * production a single worker has no parent, so that a debugger can pause it.
 *
 * @param script The script of a worker, in `bin/`
 */
export async function runService(script: 'server' | 'development_server') {
  const { default: env } = await import('#start/env').catch(async (error) => {
    await reportFailure(error)
    process.exit(1)
  })
  const workers = env.get('WEB_CONCURRENCY') ?? 1

  if (cluster.isPrimary && (workers > 1 || process.env.NODE_ENV === 'production')) {
    const { runWorkers } = await import('#core/process/workers')
    await runWorkers(workers, script)
  } else {
    const { workerScript } = await import('#core/process/worker_script')
    await import(workerScript(script).href)
  }
}
