import { isForeignKeyViolation } from '#core/database/errors'
import { ApplicationNotFound } from '#app/applications/exceptions'

/** @throws ApplicationNotFound when the write refers to a deleted application */
export async function mapForeignKeyViolation<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new ApplicationNotFound()
    throw error
  }
}
