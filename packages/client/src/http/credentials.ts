import type { Middleware } from 'openapi-fetch'

/** An access token, or how to get one that is fresh: asked for every request. */
export type TokenSource = string | (() => string | Promise<string>)

interface Credentials {
  token?: TokenSource
  internalKey?: string
}

/** Sends each credential only where it belongs: the key to `/api/internal`, the token everywhere else that takes one. */
export function credentials({ token, internalKey }: Credentials): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      if (schemaPath.startsWith('/api/internal/')) {
        if (internalKey !== undefined) request.headers.set('x-internal-api-key', internalKey)
      } else if (token !== undefined && !schemaPath.startsWith('/api/check')) {
        const value = typeof token === 'string' ? token : await token()
        request.headers.set('authorization', `Bearer ${value}`)
      }
      return request
    },
  }
}
