import { transaction } from '#core/database/transaction'
import { usesPostgres } from '#core/database/dialect'
import { tryLockUntilCommit } from '#core/database/lock_until_commit'
import Broadcast from '#app/broadcasts/models/broadcast'
import {
  addRecipients,
  audienceSources,
  findNextChunk,
} from '#app/broadcasts/queries/audience_sources'
import broadcastsConfig from '#config/broadcasts'

/**
 * Stores the next chunk and the position in one transaction, so that a crash skips nobody.
 *
 * @returns whether more may follow
 */
export async function expandAudience(id: number): Promise<boolean> {
  const limit = usesPostgres() ? broadcastsConfig.chunk.pg : broadcastsConfig.chunk.sqlite
  return transaction(async (trx) => {
    // Locking the broadcast's row instead would block the writers of its counts.
    if (!(await tryLockUntilCommit(trx, `audience of broadcast ${id}`))) return false
    const broadcast = await Broadcast.query({ client: trx })
      .where('id', id)
      .where('status', 'running')
      .where('expanded', false)
      .first()
    if (!broadcast) return false
    const { audience, applicationId, expansionStep, expansionAfter: after } = broadcast
    const source = audienceSources(audience, applicationId ?? 0).at(expansionStep)
    if (!source) {
      await broadcast.merge({ expanded: true }).save()
      return false
    }
    const { last, count } = await findNextChunk(source, after, limit, trx)
    const added =
      last === null ? 0 : await addRecipients(source, { broadcastId: id, after, last }, trx)
    const position =
      count < limit
        ? { expansionStep: expansionStep + 1, expansionAfter: 0 }
        : { expansionAfter: last! }
    await broadcast.merge({ ...position, total: broadcast.total + added }).save()
    return true
  })
}
