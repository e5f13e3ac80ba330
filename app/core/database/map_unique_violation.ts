import type { Problem } from '#core/exceptions/problem'
import { isUniqueViolation } from '#core/database/errors'

/** Runs a write and turns the refusal of a unique constraint into `problem`: the check that no race gets past. */
export async function mapUniqueViolation<T>(
  problem: new () => Problem,
  write: () => Promise<T>
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new problem()
    throw error
  }
}
