import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { withBriefLockWait } from '#core/database/lock_wait'
import { tryLockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { accessEvents, userEvents } from '#app/webhooks/background/relayed_events'
import { readAccessChangesAfter, readUserChangesAfter } from '#app/webhooks/queries/change_log'
import { hasNewChanges } from '#app/webhooks/queries/has_new_changes'
import { type Subscription, subscriptions } from '#app/webhooks/subscriptions'
import { RELAYED_EVENTS } from '#app/webhooks/values/event_types'

/**
 * Derives events from the logs of access changes and audit entries, in one process at a time. The
 * position moves with the events that were stored, so none is lost or repeated.
 */
export class RelaySource implements WorkSource {
  readonly name = 'events of webhooks'

  async work() {
    const listening = (await subscriptions.read(null)).filter(({ events }) =>
      RELAYED_EVENTS.some((type) => events.has(type))
    )
    if (listening.length === 0 || !(await hasNewChanges())) return false
    const { stored, hasMore } = await withBriefLockWait(() =>
      transaction((trx) => relay(listening, trx))
    )
    if (stored > 0) wakeBackgroundWork()
    return hasMore
  }
}

const NOTHING = { stored: 0, hasMore: false }

async function relay(listening: Subscription[], trx: TransactionClientContract) {
  if (!(await tryLockUntilCommit(trx, 'events of webhooks'))) return NOTHING
  const position = await readPosition(listening, trx)
  const users = await readUserChangesAfter(position.sequence, trx)
  const access = await readAccessChangesAfter(position.revision, trx)
  const ofUsers = await userEvents(users.changes, access.revision, listening, trx)
  const ofAccess = await accessEvents(access, listening, trx)
  const stored = await storeEvents([...ofUsers.events, ...ofAccess.events], trx)
  const next = {
    revision: ofAccess.endedAt?.revision ?? access.revision,
    sequence: ofUsers.endedAt?.sequence ?? users.sequence,
  }
  if (
    next.revision !== position.revision ||
    next.sequence !== position.sequence ||
    position.isNew
  ) {
    await trx.from('webhook_positions').where('id', 1).update(next)
  }
  const isCut = ofUsers.endedAt !== null || ofAccess.endedAt !== null
  return { stored: stored.length, hasMore: isCut || access.hasMore || users.hasMore }
}

/** The position did not move while there were no webhooks. */
async function readPosition(listening: Subscription[], trx: TransactionClientContract) {
  const known: { revision: number | string; sequence: number } = await trx
    .from('webhook_positions')
    .where('id', 1)
    .firstOrFail()
  const revision = Math.min(...listening.map(({ sinceRevision }) => sinceRevision))
  const sequence = Math.min(...listening.map(({ sinceSequence }) => sinceSequence))
  return {
    revision: Math.max(Number(known.revision), revision),
    sequence: Math.max(known.sequence, sequence),
    isNew: Number(known.revision) < revision || known.sequence < sequence,
  }
}
