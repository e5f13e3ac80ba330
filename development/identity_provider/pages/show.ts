import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Page } from '#development/pages/page'

/** Answers a request that the library took with a page of ours. */
export function show(ctx: KoaContextWithOIDC, { html: body, headers }: Page) {
  ctx.set(headers)
  ctx.body = body
}
