import { eventually } from '#tests/helpers/eventually'
import { logLines } from '#tests/helpers/log_lines'
import type { RunningService } from '#tests/world/service'

/** Whether the service responds to a new connection. */
export function isLive(service: RunningService): Promise<boolean> {
  return fetch(`${service.url}/api/health/live`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(1_000),
  }).then(
    ({ ok }) => ok,
    () => false
  )
}

/** Waits until so many workers of a service that logs requests respond. Returns their pids. */
export function respondingWorkers(service: RunningService, count: number): Promise<number[]> {
  const line = logLines(service).length
  return eventually(
    `${count} workers respond`,
    async () => {
      await Promise.all(Array.from({ length: 8 }, () => isLive(service)))
      const requests = logLines(service)
        .slice(line)
        .filter(({ msg }) => msg === 'request')
      const pids = new Set(requests.map(({ pid }) => Number(pid)))
      return pids.size === count && [...pids]
    },
    60_000
  )
}
