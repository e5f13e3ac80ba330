import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { requireFewFailures } from '#core/network/failed_authentication'
import { servesChecks } from '#core/network/internal_listener'
import { Forbidden, InvalidToken } from '#app/auth/exceptions'
import type { MachineIdentity } from '#app/auth/values/caller'
import { requireCheckKey } from '#app/auth/values/require_check_key'
import { isInPrivateNetwork } from '#app/auth/values/require_private_network'
import { tokenVerifier } from '#app/auth/verifier'
import { isUser } from '#app/authzen/actions/find_subject'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by the `authzenCaller` guard: a server in the private network, or a listed client. */
    authzenCaller: 'network' | 'client'
  }
}

const clients = new Set(authConfig.authzenClients)

/**
 * Requires a token of a client in `AUTHZEN_CLIENTS`, or the private network. A request with a token
 * is judged by the token alone.
 */
export default class AuthzenCallerMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    requireFewFailures(ctx)
    const { authorization } = ctx.request.request.headers
    if (authorization === undefined) requireNetwork(ctx)
    else await requireClient(ctx, authorization)
    return next()
  }
}

function requireNetwork(ctx: HttpContext) {
  if (!servesChecks(ctx.request.request) || !isInPrivateNetwork(ctx)) {
    throw new InvalidToken('Outside the private network, the request needs a token')
  }
  requireCheckKey(ctx)
  ctx.authzenCaller = 'network'
}

async function requireClient(ctx: HttpContext, authorization: string) {
  const machine = await tokenVerifier.verifyMachine(authorization)
  if (!(await isListed(machine))) {
    throw new Forbidden({ detail: 'AUTHZEN_CLIENTS does not list the client of the token' })
  }
  ctx.authzenCaller = 'client'
  ctx.keyName = `AuthZEN client ${machine.subject}`
}

/** A user does not become a machine user through the client at which they signed in. */
async function isListed({ subject, clients: issuedTo, hasAddress }: MachineIdentity) {
  if (clients.has(subject)) return true
  if (hasAddress) return false
  return issuedTo.some((client) => clients.has(client)) && !(await isUser(subject))
}
