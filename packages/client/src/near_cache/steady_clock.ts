/** Less is a correction of the clock. */
const MIN_SUSPENSION_MS = 1_000

/**
 * A clock in milliseconds that never goes back and, unlike `performance.now()`, also counts the
 * time for which the machine is suspended.
 *
 * @param running goes on while the machine runs, in milliseconds
 * @param wall the time of day, in milliseconds
 */
export function steadyClock(
  running: () => number = () => performance.now(),
  wall: () => number = () => Date.now()
): () => number {
  let suspendedMs = 0
  let difference = wall() - running()
  return () => {
    const now = running()
    const newDifference = wall() - now
    if (newDifference - difference > MIN_SUSPENSION_MS) suspendedMs += newDifference - difference
    difference = newDifference
    return now + suspendedMs
  }
}
