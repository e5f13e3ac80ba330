const OPTION = /--max[-_]semi[-_]space[-_]size\b/

/**
 * Node.js would reserve 16 MiB and more three times over for short-lived objects, which is a
 * quarter of the memory of an idle process. With half of that, requests cost the same.
 */
const SEMI_SPACE = '--max-semi-space-size=8'

/** Arguments of Node.js for workers: those of the parent, and the limit unless one is set. */
export function workerArguments(given: string[], nodeOptions = ''): string[] {
  return [...given, nodeOptions].some((text) => OPTION.test(text)) ? given : [...given, SEMI_SPACE]
}
