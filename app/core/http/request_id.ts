import { randomUUID } from 'node:crypto'
import { HttpContext } from '@adonisjs/core/http'

const ACCEPTABLE = /^[\w.:-]{1,128}$/

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The caller's `X-Request-Id` when it is a plain token, else a new one. Made on first use. */
    readonly requestId: string
  }
}

HttpContext.getter(
  'requestId',
  function requestId(this: HttpContext) {
    return requestIdFrom(this.request.header('x-request-id'))
  },
  true
)

/** The caller's own id where it is usable, else a new one. */
export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID()
}
