export interface Pair {
  part: string
  ours: () => unknown
  library: () => unknown
  /** Calls per round. */
  calls: number
}

const ROUNDS = 15

/** CPU time of this process per call, in µs: medians of alternating rounds after a warm-up. */
export async function compare({ part, ours, library, calls }: Pair) {
  const times: { ours: number[]; library: number[] } = { ours: [], library: [] }
  for (let round = -2; round < ROUNDS; round++) {
    const order = [
      ['ours', ours],
      ['library', library],
    ] as const
    for (const [name, call] of round % 2 === 0 ? order : order.toReversed()) {
      const time = await cpuTime(call, calls)
      if (round >= 0) times[name].push(time)
    }
  }
  return { part, ours: median(times.ours), library: median(times.library) }
}

async function cpuTime(call: () => unknown, calls: number) {
  const before = process.cpuUsage()
  for (let count = 0; count < calls; count++) {
    const result = call() as PromiseLike<unknown> | undefined
    // Lucid's queries run when they are awaited, and are no promises.
    if (typeof result?.then === 'function') await result
  }
  // Includes what a part leaves for later, such as writing a batch.
  await new Promise(setImmediate)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]
