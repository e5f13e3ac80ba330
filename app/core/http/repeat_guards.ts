import type { HttpContext } from '@adonisjs/core/http'

/**
 * Repeats what the guards of the route decided. They also set the caller's access again.
 * @throws Problem if the caller would be refused now
 */
export async function repeatGuards(ctx: HttpContext) {
  for (const guard of ctx.route!.middleware.all()) {
    if (typeof guard === 'function') continue
    if (guard.name === 'json') return
    await guard.handle(ctx.containerResolver, ctx, async () => {}, guard.args)
  }
}
