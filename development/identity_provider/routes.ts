import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { withConsentForRefreshTokens } from './grants.ts'
import { RequestError, readBytes, sendJson } from '#development/http'
import { IdentityProviderApi } from './api/api.ts'
import { forgottenPassword, newPasswordPage } from './forgotten_password.ts'
import { introspect } from './introspection.ts'
import { login } from './login.ts'
import { overviewPage } from './pages/overview_page.ts'
import { sendPage } from '#development/pages/page'
import {
  FORGOTTEN_PASSWORD_PATH,
  LOGIN_PATH,
  NEW_PASSWORD_PATH,
  PATHS,
  PROFILE_PATH,
} from './paths.ts'
import { userinfo } from './userinfo.ts'
import type { Handler, ProviderContext } from './provider_context.ts'

/** Handles what the library cannot or should not, and leaves the rest to it. */
export function requestListener(world: ProviderContext): RequestListener {
  const library = world.provider.callback()
  return (request, response) => {
    const [path] = request.url!.split('?')
    const handler = findHandler(path, request.method!)
    if (handler) return void handleSafely(handler, world, request, response)
    if (path === PATHS.authorization) request.url = withConsentForRefreshTokens(request.url!)
    if (path === PATHS.code_verification) request.url = withPrefilledCode(request.url!)
    return void library(request, response)
  }
}

const overview: Handler = async (world, _request, response) => {
  sendPage(response, 200, overviewPage(world))
}

/** Large enough for a logo. */
const MAX_API_BODY_BYTES = 1_024 * 1_024

const callApi: Handler = async ({ api }, request, response) => {
  const { method, url, headers } = request
  const bytes = await readBytes(request, MAX_API_BODY_BYTES)
  const { status, body } = await api.respond({ method, url, headers, body: bytes })
  sendJson(response, status, body)
}

/** The library would submit a code from the address automatically; here the user confirms it. */
function withPrefilledCode(url: string) {
  return url.replace(/([?&])user_code=/, '$1code=')
}

function findHandler(path: string, method: string): Handler | undefined {
  if (path === PATHS.userinfo) return userinfo
  if (path === PATHS.introspection && method === 'POST') return introspect
  if (IdentityProviderApi.hasPath(path)) return callApi
  if (path === FORGOTTEN_PASSWORD_PATH) return forgottenPassword
  if (path === NEW_PASSWORD_PATH) return newPasswordPage
  if (path.startsWith(LOGIN_PATH)) return login
  if (path === '/' || path === PROFILE_PATH) return overview
  return undefined
}

async function handleSafely(
  handler: Handler,
  world: ProviderContext,
  request: IncomingMessage,
  response: ServerResponse
) {
  try {
    await handler(world, request, response)
  } catch (error) {
    const expected = error instanceof RequestError
    if (!expected) process.stderr.write(`Development identity provider: ${String(error)}\n`)
    if (response.headersSent) return void response.destroy()
    const message = expected ? error.message : 'Internal error'
    sendJson(response, expected ? error.status : 500, { message }, { connection: 'close' })
  }
}
