import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** One change of who can do what in an application, as its endpoint makes it. */
export interface AccessChange {
  /** Whose own roles, overrides or administration it changes; null for a role or permission. */
  email: string | null
  /** @throws what the endpoint throws */
  apply(appCode: string, trx: TransactionClientContract): Promise<unknown>
}

/** A list that a preview takes. */
export const MAX_CHANGES = 100
