import { checkCounter } from '#app/checks/check_counter'
import { addCheckCounts } from '#app/checks/queries/add_check_counts'

/** Stores what this process has counted. If that fails, it is stored the next time. */
export async function storeCheckCounts(counter = checkCounter) {
  const counts = counter.take()
  if (counts.length === 0) return
  try {
    await addCheckCounts(counts)
  } catch (error) {
    counter.putBack(counts)
    throw error
  }
}
