import { ConciergeProblem } from '@concierge/client'
import { STALE } from './errors.ts'

/**
 * Reads and writes once more if someone else has changed the resource in between. For changes that
 * mean the same whatever the others changed, such as adding one role.
 */
export async function repeatIfStale(change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof ConciergeProblem) || error.code !== STALE) throw error
    await change()
  }
}
