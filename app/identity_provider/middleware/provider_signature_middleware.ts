import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { readBody } from '#core/http/read_body'
import { requireFewFailures } from '#core/network/failed_authentication'
import { recordHookHeartbeat } from '#app/identity_provider/email_provider/record_hook_heartbeat'
import { readSigningKeys } from '#app/identity_provider/signatures/read_signing_keys'
import {
  InvalidSignature,
  ProviderNotConfigured,
  SignatureExpired,
} from '#app/identity_provider/exceptions'
import {
  isMalformedSignature,
  verifySignature,
} from '#app/identity_provider/signatures/verify_signature'
import { signatureHeader } from '#app/identity_provider/signatures/signature_header'
import httpLimits from '#config/http_limits'

/** Verifies the signature over the exact body (authentication.md#authentication-classes). */
export default class ProviderSignatureMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    requireFewFailures(ctx)
    const { request } = ctx.request
    const header = signatureHeader(request.headers)
    if (isMalformedSignature(header)) throw new InvalidSignature()
    const keys = await readSigningKeys()
    if (keys.length === 0) throw new ProviderNotConfigured()
    ctx.rawBody = await readBody(ctx, httpLimits.bodyBytes.hook)
    const verdict = verifySignature({ header, body: ctx.rawBody, keys })
    if (verdict === 'invalid') throw new InvalidSignature()
    if (verdict === 'expired') throw new SignatureExpired()
    ctx.keyName = 'identity provider'
    await recordHookHeartbeat()
    return next()
  }
}
