import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { actingAs } from '#core/audit/audit_actor'
import { requireFewFailures } from '#core/network/failed_authentication'
import { InvalidSecret } from '#app/auth/exceptions'
import { SharedSecrets } from '#app/auth/values/shared_secrets'
import { requireSignature } from '#app/identity_provider/signatures/require_signature'
import { signatureHeader } from '#app/identity_provider/signatures/signature_header'
import authConfig from '#config/auth'
import identityProvider from '#config/identity_provider'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** True if the provider signed the request, false if the sender knows the webhook secret. */
    isSigned: boolean
  }
}

const SECRET_HEADER = 'X-Webhook-Secret'
const webhookSecrets = new SharedSecrets('WEBHOOK_SECRET', authConfig.webhookSecrets)

/** See identity-provider.md#webhook-authentication. */
export default class WebhookMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    requireFewFailures(ctx)
    const secret = ctx.request.header(SECRET_HEADER)
    const signature = signatureHeader(ctx.request.headers())
    ctx.isSigned = secret === undefined && signature !== undefined
    if (ctx.isSigned) {
      await requireSignature(ctx, signature, () => identityProvider.webhookSigningKeys)
      ctx.keyName = 'IDP_WEBHOOK_SIGNING_KEYS'
    } else requireSecret(ctx, secret)
    return actingAs({ kind: 'provider', name: ctx.keyName }, next)
  }
}

function requireSecret(ctx: HttpContext, secret: string | undefined) {
  const name = webhookSecrets.nameOf(secret)
  if (name === null) throw new InvalidSecret(SECRET_HEADER)
  ctx.keyName = name
}
