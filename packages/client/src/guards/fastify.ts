import type { Concierge } from '../concierge.ts'
import { type Need, refusalOf } from './verdict.ts'

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
 * app.get('/orders', { preHandler: requirePermission(concierge, { app: 'shop', permission: 'orders' }) }, listOrders)
 */
export function requirePermission<Request extends FastifyRequest>(
  concierge: Concierge,
  need: Need<Request>
) {
  return async (request: Request, reply: FastifyReply) => {
    const refusal = await refusalOf(concierge, request.headers.authorization, need, request)
    if (refusal === null) return undefined
    reply.code(refusal.status)
    reply.headers(refusal.headers)
    return reply.send(JSON.stringify(refusal.body))
  }
}
