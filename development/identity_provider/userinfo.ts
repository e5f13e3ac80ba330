import { readAccessToken } from './access_token.ts'
import { userClaims } from './claims.ts'
import { bearerToken, sendJson } from '#development/http'
import type { Handler } from './provider_context.ts'

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization',
  'access-control-allow-methods': 'GET, POST',
}

/** Done here, because the library's own endpoint refuses JWTs. */
export const userinfo: Handler = async ({ issuer, key, directory }, request, response) => {
  if (request.method === 'OPTIONS') return sendJson(response, 200, {}, CORS)
  const token = await readAccessToken(bearerToken(request) ?? '', issuer, key)
  if (token) return sendJson(response, 200, userClaims(directory.byEmail(token.email)), CORS)
  const error = { error: 'invalid_token', error_description: 'The access token is not valid' }
  const challenge = `Bearer error="${error.error}", error_description="${error.error_description}"`
  return sendJson(response, 401, error, { ...CORS, 'www-authenticate': challenge })
}
