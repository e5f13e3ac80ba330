import type { IncomingMessage } from 'node:http'
import { DEVELOPMENT_ORGANISATION_ID, type DevelopmentAccount } from './accounts.ts'
import type { Names } from './changed_names.ts'
import { RequestError, readBody, sendJson } from '#development/http'
import { requireServiceAccount } from './service_account.ts'
import type { Handler } from './provider_context.ts'

const MAX_NAME_LENGTH = 200

/** The gRPC codes of the real provider's errors, by HTTP status. */
const GRPC_CODES: Record<number, number> = { 400: 3, 401: 16, 404: 5, 405: 12, 413: 8 }

/** Serves `GET` and `PATCH /v2/users/{userId}`. */
export const users: Handler = async (world, request, response) => {
  try {
    sendJson(response, 200, await respond(world, request))
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const code = GRPC_CODES[error.status]
    sendJson(response, error.status, { code, message: error.message, details: [] })
  }
}

async function respond({ options, directory }: Parameters<Handler>[0], request: IncomingMessage) {
  requireServiceAccount(request, options.serviceAccountToken)
  const userId = request.url!.split('?')[0].slice('/v2/users/'.length)
  if (request.method === 'GET') {
    const account = directory.byId(userId)
    if (account) return { user: userRecord(account) }
  } else if (request.method === 'PATCH') {
    const names = readNames(await readBody(request))
    if (directory.rename(userId, names)) return { changeDate: new Date().toISOString() }
  } else {
    throw new RequestError(405, 'Method not allowed')
  }
  throw new RequestError(404, 'User could not be found')
}

function userRecord(account: DevelopmentAccount) {
  const { userId, email, givenName, familyName, displayName } = account
  return {
    userId,
    details: { resourceOwner: DEVELOPMENT_ORGANISATION_ID },
    state: 'USER_STATE_ACTIVE',
    username: email,
    loginNames: [email],
    preferredLoginName: email,
    human: {
      profile: { givenName, familyName, displayName },
      email: { email, isVerified: true },
    },
  }
}

function readNames(body: string): Partial<Names> {
  const profile = profileOf(body)
  const names: Partial<Names> = {}
  for (const field of ['givenName', 'familyName', 'displayName'] as const) {
    const value = profile[field]
    if (value === undefined) continue
    const fits = typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH
    if (!fits)
      throw new RequestError(400, `${field} must be a string of 1 to ${MAX_NAME_LENGTH} characters`)
    names[field] = value
  }
  return names
}

function profileOf(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body || '{}')?.human?.profile ?? {}
  } catch {
    throw new RequestError(400, 'The body is not JSON')
  }
}
