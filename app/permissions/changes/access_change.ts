import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** One change of who can do what in an application, as its endpoint makes it. */
export interface AccessChange {
  /** The user whose roles, overrides or administration it changes; null for other changes. */
  email: string | null
  /** @throws what the endpoint throws */
  apply(appCode: string, trx: TransactionClientContract): Promise<unknown>
}

/** How many changes one preview can have. */
export const MAX_CHANGES = 100
