import type { Emitter } from '@japa/runner/core'
import { nameOf } from '#tests/helpers/failures'

/** How long each file takes, in seconds, with its hooks. Grows while the tests of a process run. */
export function measureFiles(emitter: Emitter): Record<string, number> {
  const seconds: Record<string, number> = {}
  let since = performance.now()
  let file: string | undefined
  const add = () => {
    const now = performance.now()
    if (file) seconds[file] = (seconds[file] ?? 0) + (now - since) / 1_000
    since = now
  }
  emitter.on('group:start', () => {
    since = performance.now()
    file = undefined
  })
  emitter.on('test:start', ({ meta }) => {
    file = nameOf(meta)
  })
  emitter.on('test:end', add)
  emitter.on('group:end', add)
  return seconds
}
