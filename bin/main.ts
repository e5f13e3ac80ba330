import cluster from 'node:cluster'
import { runWorkers } from '#start/workers'

/**
 * The service: one process, or as many workers as `WEB_CONCURRENCY` says.
 */
const workers = Number(process.env.WEB_CONCURRENCY || 1)

if (cluster.isPrimary && workers > 1) await runWorkers(workers)
else await import('./server.ts')
