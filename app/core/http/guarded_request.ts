import type { IncomingMessage } from 'node:http'

/** What the guards of a check need to know; an `HttpContext` is one. */
export interface GuardedRequest {
  request: { request: IncomingMessage }
  clientAddress: string
  /** The name of the key that authenticated the request. Set by guards. */
  keyName?: string
}
