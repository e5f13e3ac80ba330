import { AsyncLocalStorage } from 'node:async_hooks'
import { recordDone } from '#core/audit/record_change'
import type { Change } from '#core/audit/change'
import { transaction } from '#core/database/transaction'

/** Whether something was, or may have been, written at the provider that no audit entry shows. */
const writes = new AsyncLocalStorage<{ isUnrecorded: boolean }>()

/** In the state of an entry if it is not known whether the change was made. */
export interface Unconfirmed {
  unconfirmed?: true
}

export function noteProviderWrite() {
  const known = writes.getStore()
  if (known) known.isUnrecorded = true
}

/** Adds the audit entry of what was written at the provider. */
export async function recordProviderChange(change: Change) {
  await transaction((trx) => recordDone(trx, change))
  noteProviderRecord()
}

/** After a transaction that has added the audit entry. */
export function noteProviderRecord() {
  const known = writes.getStore()
  if (known) known.isUnrecorded = false
}

/**
 * Makes changes at the provider that record themselves. If they fail although something may have
 * been written that is not recorded, for example because a response was lost, `record` does:
 * repeating the request might find nothing left to change.
 * @param record adds what it is given to the state in the entry
 * @throws as `work` does
 */
export async function recordDespiteFailure<T>(
  record: (unconfirmed: Unconfirmed) => Promise<void>,
  work: () => Promise<T>
): Promise<T> {
  return writes.run({ isUnrecorded: false }, async () => {
    try {
      return await work()
    } catch (error) {
      if (writes.getStore()!.isUnrecorded) await record({ unconfirmed: true })
      throw error
    }
  })
}
