import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { readBody } from '#core/http/read_body'
import { requireFewFailures } from '#core/network/failed_authentication'
import { noteHookCall } from '#app/identity_provider/actions/note_hook_call'
import { readSigningKeys } from '#app/identity_provider/actions/read_signing_keys'
import {
  InvalidSignature,
  ProviderNotConfigured,
  SignatureExpired,
} from '#app/identity_provider/exceptions'
import { isMalformed, verifySignature } from '#app/identity_provider/values/signature'
import { signatureHeader } from '#app/identity_provider/values/signature_header'
import bodyConfig from '#config/body'

/** Authentication class Signed request (specification part 5): over the exact bytes of the body, before it is parsed. */
export default class ProviderSignatureMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    requireFewFailures(ctx)
    const { request } = ctx.request
    const header = signatureHeader(request.headers)
    if (isMalformed(header)) throw new InvalidSignature()
    const keys = await readSigningKeys()
    if (keys.length === 0) throw new ProviderNotConfigured()
    ctx.rawBody = await readBody(ctx, bodyConfig.hookLimit)
    const verdict = verifySignature({ header, body: ctx.rawBody, keys })
    if (verdict === 'invalid') throw new InvalidSignature()
    if (verdict === 'expired') throw new SignatureExpired()
    ctx.keyName = 'identity provider'
    await noteHookCall()
    return next()
  }
}
