import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type { RoundSlots } from '#app/delivery/background/round_slots'
import type PendingSend from '#app/delivery/models/pending_send'
import {
  type DueApplication,
  type DueSend,
  duePendingSends,
  readDueApplications,
  readDueSends,
} from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

/** Claims due sends for the duration of a round, as the free slots are shared. */
export async function claimPending(slots: RoundSlots): Promise<PendingSend[]> {
  const now = toDatabaseTimestamp(DateTime.utc())
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const applications = slots.shareApplications(await readDueApplications(now))
  const ids = slots.share(await readInTurn(slots, applications, now)).map(({ id }) => id)
  if (ids.length === 0) return []
  return transaction(async (trx) => {
    const sends = await duePendingSends(trx)
      .whereIn('id', ids)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: sendingConfig.leaseMs })
    for (const send of sends) {
      await send.merge({ claim: randomUUID(), claims: send.claims + 1, dueAt }).save()
    }
    return sends
  })
}

/** Those for recipients without difficulties come first, however long others are due. */
async function readInTurn(
  slots: RoundSlots,
  applications: DueApplication[],
  now: string
): Promise<DueSend[]> {
  const chosen = applications.map(({ applicationId }) => ({
    applicationId,
    except: slots.busyFor(applicationId),
    difficult: slots.difficultOf(applicationId),
  }))
  const first = chosen.map(({ difficult, except, ...due }) => ({
    ...due,
    except: { ...except, recipients: [...except.recipients, ...difficult] },
  }))
  const due = await readDueSends(first, now)
  const withDifficult = chosen.filter(({ difficult }) => difficult.length > 0)
  const known = new Set(due.map(({ id }) => id))
  const others = await readDueSends(withDifficult, now)
  return [...due, ...others.filter(({ id }) => !known.has(id))]
}
