import type { Emitter } from '@japa/runner/core'
import { nameOf } from '#tests/helpers/failures'

const TIMEOUT = 'Test timeout'

/**
 * Ends this process before the next file if a test took too long, because the test is still
 * running and would write into that file's tests.
 *
 * @param files The files of this process
 * @returns those that have not run then
 */
export function endAfterTimeout(emitter: Emitter, files: string[]): string[] {
  const left: string[] = []
  const started = new Set<string>()
  let hasTimedOut = false
  emitter.on('test:end', ({ errors }) => {
    hasTimedOut ||= errors.some(({ error }) => error.message === TIMEOUT)
  })
  emitter.on('group:start', ({ meta }) => {
    const file = nameOf(meta)!
    if (hasTimedOut && !started.has(file)) {
      left.push(...files.filter((name) => !started.has(name)))
      process.exit(1)
    }
    started.add(file)
  })
  return left
}
