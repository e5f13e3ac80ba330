import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { auditReason } from '#core/audit/audit_reason'
import { UnsupportedMediaType } from '#core/exceptions/problems'
import { parseJsonBody } from '#core/http/parse_json'
import { hasBody, isTrusted, readBody } from '#core/http/read_body'
import { repeatGuards } from '#core/http/repeat_guards'
import type { TrackedResponse } from '#core/http/tracked_response'
import httpLimits from '#config/http_limits'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The exact bytes, for signatures; empty without a body. */
    rawBody: Buffer
  }
}

interface BodyOptions {
  /** In bytes. */
  limit?: number
  /** Also accepts CSV, and leaves it in `rawBody`. */
  csv?: boolean
  /** Also accepts YAML, and leaves it in `rawBody`. */
  yaml?: boolean
  /** Accepts no other JSON type, such as `application/ld+json`. */
  exact?: boolean
}

const NO_BODY = Buffer.alloc(0)

/**
 * Reads a JSON body after the guards, so that only authenticated bodies are parsed. The framework's
 * parser trims strings, accepts any content type and drops the bytes. Also refuses reasons for the
 * audit trail that are too long, before anything changes.
 */
export default class JsonBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn, options: BodyOptions = {}) {
    const { headers } = ctx.request.request
    const read: Buffer | undefined = ctx.rawBody
    ctx.rawBody ??= NO_BODY
    // Later, the identity provider may already have been changed.
    auditReason(ctx)
    if (!hasBody(ctx.request.request)) return next()
    if (options.exact) requireExactly('application/json', headers['content-type'])
    const accepted = acceptorFor(headers['content-type'], options)
    accepted(headers['content-type'], headers['content-encoding'])
    const { body: arriving } = ctx.response.response as TrackedResponse
    const limit = options.limit ?? httpLimits.bodyBytes.largest
    ctx.rawBody = read ?? (await (arriving ?? readBody(ctx, limit)))
    if (read === undefined && !isTrusted(ctx.place)) await repeatGuards(ctx)
    if (ctx.rawBody.length > 0 && accepted === requireJson) {
      ctx.request.updateBody(await parseJsonBody(ctx.rawBody, ctx.place?.caller))
    }
    return next()
  }
}

export const isCsv = (contentType: string | undefined) => mediaTypeOf(contentType) === 'text/csv'

export const isYaml = (contentType: string | undefined) =>
  mediaTypeOf(contentType) === 'application/yaml'

function acceptorFor(contentType: string | undefined, { csv, yaml }: BodyOptions) {
  if (csv && isCsv(contentType)) return requirePlain('text/csv')
  if (yaml && isYaml(contentType)) return requirePlain('application/yaml')
  return requireJson
}

function requireExactly(type: string, contentType: string | undefined) {
  if (mediaTypeOf(contentType) !== type) throw new UnsupportedMediaType()
}

function requireJson(contentType: string | undefined, contentEncoding: string | undefined) {
  if (contentType === 'application/json' && contentEncoding === undefined) return
  const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(contentType))
  if (!isJson || !isPlainUtf8(contentType, contentEncoding)) throw new UnsupportedMediaType()
}

function requirePlain(type: string) {
  return (contentType: string | undefined, contentEncoding: string | undefined) => {
    if (isPlainUtf8(contentType, contentEncoding)) return
    throw new UnsupportedMediaType({ detail: `The body must be uncompressed ${type} in UTF-8` })
  }
}

function mediaTypeOf(contentType = '') {
  return contentType.split(';', 1)[0].trim().toLowerCase()
}

function isPlainUtf8(contentType = '', contentEncoding = 'identity') {
  const [, ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8 && contentEncoding === 'identity'
}
