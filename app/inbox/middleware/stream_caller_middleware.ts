import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireFewFailures } from '#core/network/failed_authentication'
import { authenticateIdentity } from '#app/auth/authenticate'
import { authenticateRequest } from '#app/auth/session/authenticate_request'
import { redeemTicket } from '#app/inbox/actions/redeem_ticket'
import { InvalidTicket } from '#app/inbox/exceptions'
import { UserInactive } from '#app/profiles/exceptions'

/** Requires a ticket in the query, which stands for the token that asked for it, or a token. */
export default class StreamCallerMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const ticket: unknown = ctx.request.qs().ticket
    if (ticket === undefined) await authenticateRequest(ctx)
    else await authenticateTicket(ctx, ticket)
    if (!ctx.caller.isActive) throw new UserInactive()
    return next()
  }
}

async function authenticateTicket(ctx: HttpContext, ticket: unknown) {
  requireFewFailures(ctx)
  if (typeof ticket !== 'string') throw new InvalidTicket()
  const { identity, sessionId } = await redeemTicket(ticket)
  ctx.caller = await authenticateIdentity(identity)
  ctx.caller.sessionId = sessionId
}
