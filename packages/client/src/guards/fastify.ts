import type { Concierge } from '../concierge.ts'
import { type Requirement, findRefusal } from './refusal.ts'

interface FastifyRequest {
  headers: { authorization?: string | undefined }
}

interface FastifyReply {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: string): unknown
}

/**
 * A `preHandler` for Fastify that requires a permission of the owner of the bearer token.
 *
 * @example
 * const preHandler = requirePermission(concierge, { app: 'shop', permission: 'orders' })
 * app.get('/orders', { preHandler }, listOrders)
 */
export function requirePermission<Request extends FastifyRequest>(
  concierge: Concierge,
  requirement: Requirement<Request>
) {
  return async (request: Request, reply: FastifyReply) => {
    const refusal = await findRefusal(
      concierge,
      request.headers.authorization,
      requirement,
      request
    )
    if (refusal === null) return undefined
    reply.code(refusal.status)
    reply.headers(refusal.headers)
    return reply.send(JSON.stringify(refusal.body))
  }
}
