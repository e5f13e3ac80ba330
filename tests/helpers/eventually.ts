import { setTimeout } from 'node:timers/promises'

/**
 * Asks again until `condition` answers something other than undefined or false, and answers that.
 *
 * @throws Error naming `what` when it did not come true in time
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
