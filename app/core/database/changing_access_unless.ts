import { accessTransaction } from '#core/database/access_transaction'

/** Undoes what a dry run has written. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('Nothing is kept of a dry run')
  }
}

/**
 * As `accessTransaction`; of a dry run only the result remains: what it wrote is undone, and nobody is told of it.
 *
 * @example
 * await changingAccessUnless(dryRun, async (trx, changed) => …)
 */
export async function changingAccessUnless<T>(
  dryRun: boolean,
  work: Parameters<typeof accessTransaction<T>>[0]
): Promise<T> {
  if (!dryRun) return accessTransaction(work)
  try {
    return await accessTransaction<T>(async (trx, changed) => {
      throw new DryRun(await work(trx, changed))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result as T
    throw error
  }
}
