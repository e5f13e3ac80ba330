import { changingAccess } from '#core/database/changing_access'

/** Undoes what a dry run has written. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('Nothing is kept of a dry run')
  }
}

/**
 * As `changingAccess`; of a dry run only the result remains: what it wrote is undone, and nobody is told of it.
 *
 * @example
 * await changingAccessUnless(dryRun, async (trx, changed) => …)
 */
export async function changingAccessUnless<T>(
  dryRun: boolean,
  work: Parameters<typeof changingAccess<T>>[0]
): Promise<T> {
  if (!dryRun) return changingAccess(work)
  try {
    return await changingAccess<T>(async (trx, changed) => {
      throw new DryRun(await work(trx, changed))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result as T
    throw error
  }
}
