import { transaction } from '#core/database/transaction'
import { usesPostgres } from '#core/database/dialect'
import { tryLockUntilCommit } from '#core/database/lock_until_commit'
import Broadcast from '#app/broadcasts/models/broadcast'
import { addPeople, audienceSources, nextPeople } from '#app/broadcasts/queries/audience_sources'
import broadcastsConfig from '#config/broadcasts'

/**
 * Writes down the next recipients of a running broadcast. They and the place reached in the audience are written in one
 * transaction, so that a crash can neither skip nor repeat anybody.
 *
 * @returns whether there may be more of them
 */
export async function expandAudience(id: number): Promise<boolean> {
  const limit = usesPostgres() ? broadcastsConfig.chunk.pg : broadcastsConfig.chunk.sqlite
  return transaction(async (trx) => {
    // Not by a lock on its row: that one is for the counts, which are written after recipients, too.
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
    const { last, count } = await nextPeople(source, after, limit, trx)
    const added = last === null ? 0 : await addPeople(source, { broadcastId: id, after, last }, trx)
    const place =
      count < limit
        ? { expansionStep: expansionStep + 1, expansionAfter: 0 }
        : { expansionAfter: last! }
    await broadcast.merge({ ...place, total: broadcast.total + added }).save()
    return true
  })
}
