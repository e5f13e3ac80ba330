import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireFewFailures } from '#core/network/failed_authentication'
import { recordHookHeartbeat } from '#app/identity_provider/email_provider/record_hook_heartbeat'
import { readSigningKeys } from '#app/identity_provider/signatures/read_signing_keys'
import { requireSignature } from '#app/identity_provider/signatures/require_signature'
import { signatureHeader } from '#app/identity_provider/signatures/signature_header'

/** Verifies the signature over the exact body (authentication.md#authentication-classes). */
export default class ProviderSignatureMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    requireFewFailures(ctx)
    const header = signatureHeader(ctx.request.request.headers)
    await requireSignature(ctx, header, readSigningKeys)
    ctx.keyName = 'identity provider'
    await recordHookHeartbeat()
    return next()
  }
}
