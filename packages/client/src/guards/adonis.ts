import type { Concierge } from '../concierge.ts'
import { type Requirement, findRefusal } from './refusal.ts'

interface AdonisContext {
  request: { header(name: string): string | undefined }
  response: {
    status(code: number): unknown
    header(name: string, value: string): unknown
    send(body: unknown): unknown
  }
}

/**
 * Middleware for AdonisJS that requires a permission of the owner of the bearer token.
 *
 * @example
 * router.get('/orders', [OrdersController, 'index'])
 *   .use(requirePermission(concierge, { app: 'shop', permission: 'orders' }))
 */
export function requirePermission<Context extends AdonisContext>(
  concierge: Concierge,
  requirement: Requirement<Context>
) {
  return async (ctx: Context, next: () => Promise<unknown>) => {
    const refusal = await findRefusal(
      concierge,
      ctx.request.header('authorization'),
      requirement,
      ctx
    )
    if (refusal === null) return next()
    ctx.response.status(refusal.status)
    for (const [name, value] of Object.entries(refusal.headers)) ctx.response.header(name, value)
    return ctx.response.send(JSON.stringify(refusal.body))
  }
}
