import 'reflect-metadata'
import cluster from 'node:cluster'
import { runWorker } from '#core/process/run_worker'

/** One process of the service in the development world. The first one prepares the world. */
await runWorker(async () => {
  const { createHttpServer } = await import('#core/http/http_server')
  if (cluster.isWorker && cluster.worker?.id !== 1) return createHttpServer
  const { createPreparedServer } = await import('#development/prepared_server')
  const { prepareWorld } = await import('#development/prepare_world')
  return (handle) => createPreparedServer(handle, prepareWorld)
})
