import type { HttpContext } from '@adonisjs/core/http'
import { PLAIN_POLICY, protectPage } from '#core/pages/protect_page'

/** The page runs only its own scripts, which cannot write markup. */
export const PANEL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * For the page in whose frame the panel shows mails: with the mail's styles, without its scripts,
 * and without the panel's origin.
 */
const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

/** See panel.md#headers. */
export function protectPanel(ctx: HttpContext, policy = PLAIN_POLICY) {
  protectPage(ctx, policy)
  ctx.response.header('cross-origin-opener-policy', 'same-origin').header('x-frame-options', 'DENY')
}

/** See panel.md#headers. */
export function protectPreview(ctx: HttpContext) {
  protectPanel(ctx, PREVIEW_POLICY)
  ctx.response.header('x-frame-options', 'SAMEORIGIN')
}
