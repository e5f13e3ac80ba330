import type { Problem } from '#core/exceptions/problem'
import { isUniqueViolation } from '#core/database/errors'

/** Throws `problem` if the write violates a unique constraint. */
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
