import type { HttpContext } from '@adonisjs/core/http'
import { UnsupportedMediaType, invalidField } from '#core/exceptions/problems'
import { readBody } from '#core/http/read_body'

const LIMIT = 4_096
const FIELD = 'List-Unsubscribe'
const VALUE = 'One-Click'

/** For the API description of `readOneClick`. */
export const oneClickSchema = {
  type: 'object',
  properties: { [FIELD]: { type: 'string', enum: [VALUE] } },
  required: [FIELD],
}

/**
 * Accepts the form of RFC 8058 in both encodings, and an empty body, which some mail programs send.
 * @throws UnsupportedMediaType, ValidationError, PayloadTooLarge
 * @describedBy one_click#oneClickSchema
 * @consumes application/x-www-form-urlencoded multipart/form-data
 */
export async function readOneClick(ctx: HttpContext) {
  const contentType = ctx.request.header('content-type') ?? ''
  const body = await readBody(ctx, LIMIT)
  if (body.length === 0) return
  if (!(await saysOneClick(contentType, body))) {
    throw invalidField(FIELD, 'oneClick', `The form must contain ${FIELD}=${VALUE}`)
  }
}

async function saysOneClick(contentType: string, body: Buffer) {
  const type = contentType.split(';')[0].trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    return new URLSearchParams(body.toString()).get(FIELD) === VALUE
  }
  if (type !== 'multipart/form-data') {
    throw new UnsupportedMediaType({ detail: 'The body must be a form' })
  }
  const form = await parseMultipart(contentType, body)
  return form?.get(FIELD) === VALUE
}

async function parseMultipart(contentType: string, body: Buffer) {
  try {
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData()
  } catch {
    return null
  }
}
