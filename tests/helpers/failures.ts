import { relative } from 'node:path'
import { inspect } from 'node:util'
import type { Emitter } from '@japa/runner/core'
import { projectPath } from '#core/process/root'
import type { Failure } from '#tests/lanes'

interface FailedPart {
  hasError: boolean
  errors: { phase: string; error: Error }[]
  meta?: Record<string, unknown>
}

/** The failures of this process, which grow while its tests run. */
export function collectFailures(emitter: Emitter): Failure[] {
  const failures: Failure[] = []
  const group = { title: '' }
  const add = (title: string, { hasError, errors, meta }: FailedPart) => {
    if (!hasError) return
    const found = errors.map(({ phase, error }) => `${phase}: ${inspect(error)}`)
    failures.push({ title, file: nameOf(meta), error: found.join('\n') })
  }
  emitter.on('group:start', ({ title }) => {
    group.title = title
  })
  emitter.on('test:end', (test) => add(`${group.title}: ${test.title.expanded}`, test))
  emitter.on('group:end', (ended) => {
    // A group also has an error if one of its tests has.
    if (ended.errors.length > 0) add(`${ended.title}: hooks of the group`, ended)
    group.title = ''
  })
  emitter.on('suite:end', (ended) => {
    if (ended.errors.length > 0) add(`${ended.name}: hooks of the suite`, ended)
  })
  const addUnhandled = (error: unknown) =>
    failures.push({ title: 'Error outside of a test', error: inspect(error) })
  process.on('uncaughtException', addUnhandled)
  process.on('unhandledRejection', addUnhandled)
  return failures
}

/** The file of a test or group, such as `tests/unit/tests/lanes.spec.ts`. */
export const nameOf = (meta?: Record<string, unknown>) =>
  typeof meta?.fileName === 'string'
    ? relative(projectPath(), meta.fileName).replaceAll('\\', '/')
    : undefined
