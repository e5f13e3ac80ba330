import { setTimeout } from 'node:timers/promises'

/**
 * Waits until `condition` returns neither undefined nor false, and returns that value.
 * @throws Error naming `what` after the timeout
 */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 10_000
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await condition()
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
    if (performance.now() > deadline)
      throw new Error(`Did not happen within ${withinMs} ms: ${what}`)
    await setTimeout(20)
  }
}
