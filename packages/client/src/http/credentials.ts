import type { Middleware } from 'openapi-fetch'

/** An access token, or a function that returns a fresh one for each request. */
export type TokenSource = string | (() => string | Promise<string>)

interface Credentials {
  token?: TokenSource
  internalKey?: string
  checkKey?: string
}

/** Sends keys only to the endpoints they belong to, and the token to all others. */
export function credentials({ token, internalKey, checkKey }: Credentials): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      if (schemaPath.startsWith('/api/internal/')) {
        if (internalKey !== undefined) request.headers.set('x-internal-api-key', internalKey)
      } else if (schemaPath.startsWith('/api/check')) {
        if (checkKey !== undefined) request.headers.set('x-check-key', checkKey)
      } else if (token !== undefined) {
        const value = typeof token === 'string' ? token : await token()
        request.headers.set('authorization', `Bearer ${value}`)
      }
      return request
    },
  }
}
