import { isForeignKeyViolation } from '#core/database/errors'
import { ApplicationNotFound } from '#app/applications/exceptions'

/**
 * Runs a write that belongs to an application and says so when that was deleted meanwhile.
 *
 * @throws ApplicationNotFound
 */
export async function mapForeignKeyViolation<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new ApplicationNotFound()
    throw error
  }
}
