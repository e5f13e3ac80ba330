import type { HttpContext } from '@adonisjs/core/http'
import { inSearchBudget } from '#core/database/work_budgets'
import { callerKey } from '#core/http/caller_name'
import { inGuardedTurn } from '#core/http/repeat_guards'

/**
 * Searches a large table in the caller's turn (conventions.md#searches-of-large-tables).
 * @throws Overloaded if the turn does not come in time; Problem if the caller would be refused then
 */
export function inSearchTurn<T>(ctx: HttpContext, search: () => Promise<T>): Promise<T> {
  return inGuardedTurn(ctx, (begin) => inSearchBudget(callerKey(ctx), begin), search)
}
