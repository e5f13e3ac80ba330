import { runService } from '#core/process/run_service'
import { requireIndexedFiles } from '#development/require_indexed_files'
import { startDevelopmentWorld } from '#development/world'

/** `npm start`: the service and its development world. */
requireIndexedFiles()
await startDevelopmentWorld()
await runService('development_server')
