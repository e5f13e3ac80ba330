import type { HttpContext } from '@adonisjs/core/http'
import { readBody } from '#core/http/read_body'
import {
  InvalidSignature,
  ProviderNotConfigured,
  SignatureExpired,
} from '#app/identity_provider/exceptions'
import {
  isMalformedSignature,
  verifySignature,
} from '#app/identity_provider/signatures/verify_signature'
import httpLimits from '#config/http_limits'

/**
 * Reads the body and verifies the signature over its exact bytes.
 * @throws InvalidSignature, ProviderNotConfigured, SignatureExpired
 */
export async function requireSignature(
  ctx: HttpContext,
  header: string | undefined,
  readKeys: () => string[] | Promise<string[]>
) {
  if (isMalformedSignature(header)) throw new InvalidSignature()
  const keys = await readKeys()
  if (keys.length === 0) throw new ProviderNotConfigured()
  ctx.rawBody = await readBody(ctx, httpLimits.bodyBytes.hook)
  const verdict = verifySignature({ header, body: ctx.rawBody, keys })
  if (verdict === 'invalid') throw new InvalidSignature()
  if (verdict === 'expired') throw new SignatureExpired()
}
