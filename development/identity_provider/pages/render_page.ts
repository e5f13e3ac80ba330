import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Page } from '#development/pages/page'

export function renderPage(ctx: KoaContextWithOIDC, { html: body, headers }: Page) {
  ctx.set(headers)
  ctx.body = body
}
