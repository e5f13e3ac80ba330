import type { HttpContext } from '@adonisjs/core/http'

/**
 * Repeats what the guards of the route have decided. They also set the caller's access again.
 * @throws Problem if the caller would be refused now
 */
export async function repeatGuards(ctx: HttpContext) {
  for (const guard of ctx.route!.middleware.all()) {
    // `inTurn` refuses nobody, and would wait for the turn that this request may have.
    if (typeof guard === 'function' || guard.name === 'inTurn') continue
    if (guard.name === 'json') return
    await guard.handle(ctx.containerResolver, ctx, async () => {}, guard.args)
  }
}

/**
 * Does work when its turn comes. If the request has to wait for it, the guards of the route are
 * repeated first, because the caller's rights may have changed.
 *
 * @param takeTurn calls its argument in the turn
 * @throws Problem if the caller would be refused now
 */
export function inGuardedTurn<T>(
  ctx: HttpContext,
  takeTurn: (begin: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>
): Promise<T> {
  let hasWaited = false
  const nextTurn = setImmediate(() => (hasWaited = true))
  return takeTurn(async () => {
    clearImmediate(nextTurn)
    if (hasWaited) await repeatGuards(ctx)
    return work()
  })
}
