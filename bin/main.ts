import { runService } from '#core/process/run_service'

await runService('server')
