import { HttpContext } from '@adonisjs/core/http'
import logger from '@adonisjs/core/services/logger'
import type server from '@adonisjs/core/services/server'
import { requestCompleted } from '#core/http/completed_request'
import { clientAddress } from '#core/network/client_address'
import { requestIdFrom } from '#core/http/request_id'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The caller's `X-Request-Id` when it is a plain token, else a new one: the id under which the log knows the request. */
    requestId: string
    /** The client's address (see `clientAddress`). */
    clientAddress: string
    /** The name of the key or secret that let the request in, for logs. Set by the guards that take one. */
    keyName?: string
  }
}

const HEADER = 'x-request-id'

/**
 * Makes the context of a request and gives its answer the request id. It stands in for the framework's way and for a
 * middleware beside it, because a child logger for each request, which hardly any request uses, and one more step cost
 * a tenth of a check.
 */
export const createContext: typeof server.createHttpContext = (request, response, resolver) => {
  const arrived = performance.now()
  const ctx = new HttpContext(request, response, logger, resolver)
  const { headers } = request.request
  const given = request.header(HEADER)
  ctx.requestId = requestIdFrom(given)
  ctx.clientAddress = clientAddress(request.request)
  response.header(HEADER, ctx.requestId)
  // The framework copies the request's header into the answer once more, whatever it holds.
  if (given !== undefined) headers[HEADER] = ctx.requestId
  response.response.once('close', () => requestCompleted(ctx, arrived))
  return ctx
}
