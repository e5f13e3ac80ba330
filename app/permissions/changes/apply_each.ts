import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccessChange } from '#app/permissions/changes/access_change'

/**
 * Combines changes into a function that makes them one after another, each with the action of its
 * endpoint. The function returns the addresses of users whose own rows they change.
 */
export function applyEach(appCode: string, changes: AccessChange[]) {
  return async (trx: TransactionClientContract): Promise<string[]> => {
    for (const { apply } of changes) await apply(appCode, trx)
    return changes.flatMap(({ email }) => email ?? [])
  }
}
