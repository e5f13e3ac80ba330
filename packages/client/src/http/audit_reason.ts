import type { Middleware } from 'openapi-fetch'

/** Sends the reason with each change. Headers are bytes, so the text is sent as UTF-8. */
export function auditReason(reason: string): Middleware {
  const bytes = String.fromCharCode(...new TextEncoder().encode(reason))
  return {
    onRequest({ request }) {
      if (request.method !== 'GET') request.headers.set('x-audit-reason', bytes)
      return request
    },
  }
}
