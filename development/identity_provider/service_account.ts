import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { RequestError, bearerToken } from '#development/http'

/** @throws RequestError 401 */
export function requireServiceAccount(request: IncomingMessage, expected: string | undefined) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const given = bearerToken(request)
  if (expected && given && timingSafeEqual(digest(given), digest(expected))) return
  throw new RequestError(401, 'The service account token is missing or wrong')
}
