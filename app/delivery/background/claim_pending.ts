import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import type { LaterParts } from '#core/background/later_parts'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import type { RoundSlots } from '#app/delivery/background/round_slots'
import type PendingSend from '#app/delivery/models/pending_send'
import {
  type DueApplication,
  type DueSend,
  type Exceptions,
  duePendingSends,
  readDueApplications,
  readDueSends,
  readExistingParts,
} from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { leaseMs, perApplication } = sendingConfig

/**
 * Claims due sends for the duration of a round, as the free slots are shared.
 *
 * @param laterParts of the due sends of each application, by its id
 */
export async function claimPending(
  slots: RoundSlots,
  laterParts: LaterParts<number>
): Promise<PendingSend[]> {
  const now = toDatabaseTimestamp(DateTime.utc())
  // Usually none are due, and on SQLite even an empty claim blocks other writers.
  const applications = slots.shareApplications(await readDueApplications(now))
  const chosen = applications.map(({ applicationId }) => ({
    applicationId,
    except: slots.busyFor(applicationId),
    difficult: slots.difficultOf(applicationId),
  }))
  const ids = slots.share(await readInTurn(chosen, laterParts, now)).map(({ id }) => id)
  if (ids.length === 0) return []
  return transaction(async (trx) => {
    const sends = await duePendingSends(trx)
      .whereIn('id', ids)
      .if(usesPostgres(), (query) => query.forUpdate().skipLocked())
    const dueAt = DateTime.utc().plus({ milliseconds: leaseMs })
    for (const send of sends) {
      await send.merge({ claim: randomUUID(), claims: send.claims + 1, dueAt }).save()
    }
    return sends
  })
}

interface Chosen extends DueApplication {
  /** Of which no round can begin now */
  except: Exceptions
  /** Recipients with difficulties */
  difficult: number[]
}

/** Those for recipients without difficulties come first, however long others are due. */
async function readInTurn(
  chosen: Chosen[],
  laterParts: LaterParts<number>,
  now: string
): Promise<DueSend[]> {
  const first = await readDueSends(chosen.map(withoutDifficult).map(fromOldest), now)
  const hiding = chosen.filter((one) => mayHideOthers(one, first))
  const parts = hiding.map((one) => ({ ...one, offset: laterParts.offset(one.applicationId) }))
  const existing = await readExistingParts(parts, now)
  const later = parts.filter(({ applicationId }) => existing.has(applicationId))
  const found = await readDueSends(later.map(withoutDifficult), now)
  const withDifficult = [...chosen.map(fromOldest), ...later].filter(hasDifficult)
  const others = await readDueSends(withDifficult, now)
  for (const { applicationId } of hiding) {
    const hasOthers = found.some((send) => send.applicationId === applicationId)
    if (!hasOthers) laterParts.moveOn(applicationId, !existing.has(applicationId))
  }
  return withoutRepetitions([...first, ...found, ...others])
}

const fromOldest = <Application extends Chosen>(one: Application) => ({ ...one, offset: 0 })

const hasDifficult = ({ difficult }: Chosen) => difficult.length > 0

function withoutDifficult<Application extends Chosen>(one: Application): Application {
  const recipients = [...one.except.recipients, ...one.difficult]
  return { ...one, except: { ...one.except, recipients } }
}

/** Whether few of those that were read can begin, so that sends that cannot may hide later ones. */
function mayHideOthers({ applicationId, except, difficult }: Chosen, read: DueSend[]): boolean {
  const { accounts, recipients } = except
  const leavesOut = accounts.length + recipients.length + difficult.length > 0
  const count = read.filter((send) => send.applicationId === applicationId).length
  return leavesOut && count < perApplication
}

function withoutRepetitions(sends: DueSend[]): DueSend[] {
  return [...new Map(sends.map((send) => [send.id, send])).values()]
}
