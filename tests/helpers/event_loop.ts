/** Keeps the process busy. */
export function burn(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** How many turns the event loop makes until the work ends. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}
