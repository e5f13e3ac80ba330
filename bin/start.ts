import { runService } from '#core/process/run_service'
import { startDevelopmentWorld } from '#development/world'

/** `npm start`: the service and its development world. */
await startDevelopmentWorld()
await runService('development_server')
