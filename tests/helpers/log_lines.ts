import type { RunningService } from '#tests/world/service'

export type LogLine = Record<string, unknown>

export function logLines(service: RunningService): LogLine[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine)
}

export function securityEvents(service: RunningService, type: string): LogLine[] {
  return logLines(service).filter((line) => line.event === 'security' && line.type === type)
}
