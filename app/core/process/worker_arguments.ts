const OPTION = /--max[-_]semi[-_]space[-_]size\b/

/**
 * Node.js would reserve more, three times over, for short-lived objects. Half of this saves another
 * 15 MiB at rest, but then a mail costs a fifth more processor time (`benchmarks/broadcast`).
 */
const SEMI_SPACE = '--max-semi-space-size=16'

/** Arguments of Node.js for workers: those of the parent, and the limit unless one is set. */
export function workerArguments(given: string[], nodeOptions = ''): string[] {
  return [...given, nodeOptions].some((text) => OPTION.test(text)) ? given : [...given, SEMI_SPACE]
}
