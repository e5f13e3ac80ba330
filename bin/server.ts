import 'reflect-metadata'
import { runWorker } from '#core/process/run_worker'

/** One process of the service. */
await runWorker()
