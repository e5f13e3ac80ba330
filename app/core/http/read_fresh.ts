import type { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { limitRevisionHeader } from '#core/changes/revision_headers'
import { isDatabaseUnavailable } from '#core/database/errors'
import { replica } from '#core/database/servers/replica'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** What the response must reflect, if the request says so. Set by the `freshness` guard. */
    atLeast?: number
  }
}

/**
 * Reads the rows of a list: from a replica that has replayed the revision that the request names,
 * otherwise from the primary (platform.md#lists-from-a-replica). What decides which rows the
 * caller may see is read before, from the primary.
 *
 * @param read Can run twice. Each query takes its `client`, which is undefined for the primary.
 */
export async function readFresh<T>(
  ctx: HttpContext,
  read: (client?: TransactionClientContract) => Promise<T>
): Promise<T> {
  const { atLeast } = ctx
  if (atLeast === undefined) return read()
  const readReplica = async () => {
    const found = await replica.readAtOneMoment(atLeast, read)
    if (found) limitRevisionHeader(ctx, found.revision)
    return found
  }
  const found = await readReplica()
  if (found) return found.result
  try {
    return await read()
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    const late = await replica.onceReplayed(readReplica)
    if (!late) throw error
    return late.result
  }
}
