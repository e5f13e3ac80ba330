import { readAccessToken } from './access_token.ts'
import { readForm, sendJson } from '#development/http'
import type { Handler } from './provider_context.ts'

/** Done here, because the library refuses to introspect JWTs. Any caller may ask. */
export const introspect: Handler = async ({ issuer, key }, request, response) => {
  const form = await readForm(request)
  const claims = await readAccessToken(form.get('token') ?? '', issuer, key)
  if (!claims) return sendJson(response, 200, { active: false })
  const details = { active: true, token_type: 'Bearer', username: claims.email }
  return sendJson(response, 200, { ...claims, ...details })
}
