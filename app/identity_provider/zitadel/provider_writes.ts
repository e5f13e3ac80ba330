import { AsyncLocalStorage } from 'node:async_hooks'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordDone } from '#core/audit/record_change'
import type { Change } from '#core/audit/change'
import { transaction } from '#core/database/transaction'
import { beginChange, endChange } from '#app/identity_provider/zitadel/begun_changes'

interface Writes {
  /** Keeps the entry for the case that the process dies. @returns the id of the row */
  begin: () => Promise<number>
  /** Null if no such row is needed yet, or any more */
  begunId: number | null
  /** Whether something was, or may have been, written that no audit entry shows */
  isUnrecorded: boolean
}

const writes = new AsyncLocalStorage<Writes>()

/** In the state of an entry if it is not known whether the change was made. */
export const UNCONFIRMED = { unconfirmed: true } as const
export type Unconfirmed = Partial<typeof UNCONFIRMED>

/** Before a write at the provider. */
export async function beginProviderWrite() {
  const known = writes.getStore()
  if (known && known.begunId === null) known.begunId = await known.begin()
}

/** After a write at the provider, which may have failed. */
export function noteProviderWrite() {
  const known = writes.getStore()
  if (known) known.isUnrecorded = true
}

/** Adds the audit entry of what was written at the provider. */
export async function recordProviderChange(change: Change) {
  await transaction(async (trx) => {
    if (await endProviderWrite(trx)) await recordDone(trx, change)
  })
}

/**
 * Call it in the transaction that adds the audit entry.
 * @returns false if there is one already, because someone whom it names was erased meanwhile
 */
export async function endProviderWrite(trx: TransactionClientContract): Promise<boolean> {
  const known = writes.getStore()
  if (!known) return true
  const { begunId } = known
  trx.after('commit', () => {
    known.begunId = null
    known.isUnrecorded = false
  })
  return begunId === null || endChange(begunId, trx)
}

/**
 * Makes changes at the provider that record themselves. If they fail although something may have
 * been written that is not recorded, for example because a response was lost or the process died,
 * the audit trail has `lost`: repeating the request might find nothing left to change.
 * @param onLost called after this entry has been added
 * @throws as `work` does
 */
export async function recordDespiteFailure<T>(
  lost: Change,
  work: () => Promise<T>,
  onLost = () => {}
): Promise<T> {
  const begin = () => beginChange(lost)
  return writes.run({ begin, begunId: null, isUnrecorded: false }, async () => {
    try {
      const result = await work()
      await forgetBegun()
      return result
    } catch (error) {
      if (!writes.getStore()!.isUnrecorded) await forgetBegun()
      else {
        await recordProviderChange(lost)
        onLost()
      }
      throw error
    }
  })
}

/** Nothing was written, or an entry shows it. */
async function forgetBegun() {
  if (writes.getStore()!.begunId !== null) await transaction(endProviderWrite)
}
