import type { HttpContext } from '@adonisjs/core/http'
import { inRightsBudget } from '#core/database/work_budgets'
import { callerKey } from '#core/http/caller_name'
import { inGuardedTurn } from '#core/http/repeat_guards'

/**
 * Decides many rights in the caller's turn (conventions.md#requests-for-many-rights).
 * @throws Overloaded if the turn does not come in time; Problem if the caller would be refused then
 */
export function inRightsTurn<T>(ctx: HttpContext, decide: () => Promise<T>): Promise<T> {
  return inGuardedTurn(ctx, (begin) => inRightsBudget(callerKey(ctx), begin), decide)
}
