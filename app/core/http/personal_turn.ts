import type { HttpContext } from '@adonisjs/core/http'
import { inPersonalBudget } from '#core/database/work_budgets'
import { callerKey } from '#core/http/caller_name'
import { repeatGuards } from '#core/http/repeat_guards'

/**
 * Decides many rights in the caller's turn (conventions.md#requests-for-many-rights). If it had to
 * wait, the guards of the route are repeated, because the caller's rights may have changed.
 *
 * @throws Overloaded if the turn does not come in time; Problem if the caller would be refused now
 */
export function inPersonalTurn<T>(ctx: HttpContext, decide: () => Promise<T>): Promise<T> {
  let hasWaited = false
  const nextTurn = setImmediate(() => (hasWaited = true))
  return inPersonalBudget(callerKey(ctx), async () => {
    clearImmediate(nextTurn)
    if (hasWaited) await repeatGuards(ctx)
    return decide()
  })
}
