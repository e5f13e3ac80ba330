import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { UnsupportedMediaType, invalidField } from '#core/exceptions/problems'
import { parseJson } from '#core/http/parse_json'
import { hasBody, readBody } from '#core/http/read_body'
import httpLimits from '#config/http_limits'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The exact bytes, for signatures; empty without a body. */
    rawBody: Buffer
  }
}

const NO_BODY = Buffer.alloc(0)
/** How long the decision of the guards holds while a body arrives. */
const TRUSTED_MS = 10

/**
 * Reads a JSON body after the guards, so that only authenticated bodies are parsed. The framework's
 * parser trims strings, accepts any content type and drops the bytes.
 */
export default class JsonBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn, options: { limit?: number } = {}) {
    const { headers } = ctx.request.request
    const read: Buffer | undefined = ctx.rawBody
    ctx.rawBody ??= NO_BODY
    if (!hasBody(ctx.request.request)) return next()
    requireJson(headers['content-type'], headers['content-encoding'])
    ctx.rawBody = read ?? (await readBody(ctx, options.limit ?? httpLimits.bodyBytes.largest))
    if (read === undefined && ctx.place.bodyMs > TRUSTED_MS) await repeatGuards(ctx)
    if (ctx.rawBody.length > 0) ctx.request.updateBody(requireStructure(parseJson(ctx.rawBody)))
    return next()
  }
}

/** While a body was arriving, its sender may have lost the right that the guards checked. */
async function repeatGuards(ctx: HttpContext) {
  for (const guard of ctx.route!.middleware.all()) {
    if (typeof guard === 'function') continue
    if (guard.name === 'json') return
    await guard.handle(ctx.containerResolver, ctx, async () => {}, guard.args)
  }
}

function requireJson(contentType: string | undefined, contentEncoding: string | undefined) {
  if (contentType === 'application/json' && contentEncoding === undefined) return
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='))
  const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(type.trim())
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  const isPlain = contentEncoding === undefined || contentEncoding === 'identity'
  if (!isJson || !isUtf8 || !isPlain) throw new UnsupportedMediaType()
}

/** Scalars are never valid. Validators decide about arrays. */
function requireStructure(value: unknown) {
  if (typeof value === 'object' && value !== null) return value
  throw invalidField('', 'object', 'The body must be a JSON object')
}
