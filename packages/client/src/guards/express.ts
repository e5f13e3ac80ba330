import type { Concierge } from '../concierge.ts'
import { type Requirement, findRefusal } from './refusal.ts'

interface ExpressRequest {
  headers: { authorization?: string | undefined }
}

interface ExpressResponse {
  status(code: number): unknown
  set(headers: Record<string, string>): unknown
  send(body: string): unknown
}

/**
 * Middleware for Express that requires a permission of the owner of the bearer token.
 *
 * @example
 * app.get('/orders/:id', requirePermission(concierge, (request) => ({
 *   app: 'shop', permission: 'orders', level: 'view',
 *   resource: { type: 'order', id: request.params.id },
 * })), showOrder)
 */
export function requirePermission<Request extends ExpressRequest>(
  concierge: Concierge,
  requirement: Requirement<Request>
) {
  return async (request: Request, response: ExpressResponse, next: () => unknown) => {
    const refusal = await findRefusal(
      concierge,
      request.headers.authorization,
      requirement,
      request
    )
    if (refusal === null) return void next()
    response.status(refusal.status)
    response.set(refusal.headers)
    response.send(JSON.stringify(refusal.body))
  }
}
