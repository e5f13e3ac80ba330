import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { RunQuery } from '#core/database/prepared_query'
import { awaitingDigests } from '#app/delivery/digests/awaiting_digests'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'

/** How a notification ended: no attempt will follow. */
export interface FinalOutcome {
  /** Of the log entry. */
  id: number
  outcome: DeliveryOutcome
}

/** Implemented by a later section that must get every final outcome, however processes end. */
export interface OutcomeOutbox {
  /** False if it is certain, without a query, that outcomes need not be stored. */
  mayWant(): boolean
  /** Called after log entries and deliveries were written, in the same transaction. */
  store(outcomes: FinalOutcome[], executor: RunQuery | TransactionClientContract): Promise<void>
}

let outbox: OutcomeOutbox = { mayWant: () => false, store: async () => {} }

export function useOutcomeOutbox(used: OutcomeOutbox) {
  outbox = used
}

/** Whether an outcome must be recorded in a transaction, even if it is a single row. */
export const mayStoreOutcomes = () => outbox.mayWant()

/** Leaves out what has not arrived while a digest may still deliver it, which stores it then. */
export async function storeOutcomes(
  outcomes: FinalOutcome[],
  executor: RunQuery | TransactionClientContract
) {
  if (outcomes.length === 0 || !outbox.mayWant()) return
  const unsent = outcomes.filter(({ outcome }) => outcome.status !== 'sent').map(({ id }) => id)
  const awaiting = unsent.length > 0 ? await awaitingDigests(unsent, executor) : new Set()
  const final = outcomes.filter(({ id, outcome }) => outcome.status === 'sent' || !awaiting.has(id))
  if (final.length > 0) await outbox.store(final, executor)
}
