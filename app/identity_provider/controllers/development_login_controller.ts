import type { HttpContext } from '@adonisjs/core/http'
import { successEnvelope } from '#core/values/envelopes'
import {
  type PendingLogin,
  beginLogin,
  completeLogin,
} from '#app/identity_provider/development_login/development_login'
import {
  callbackValidator,
  loginValidator,
} from '#app/identity_provider/validators/development_login_validator'

const COOKIE = 'concierge_login'
const COOKIE_OPTIONS = { path: '/api/idp', httpOnly: true, maxAge: '10m', sameSite: 'lax' } as const

/** See identity-provider.md#development-login. */
export default class DevelopmentLoginController {
  /**
   * Start a development login. Redirects the browser to the login page of the identity provider.
   */
  async login({ request, response }: HttpContext) {
    const query = await loginValidator.validate(request.qs())
    const { location, pending } = await beginLogin(query.client_id)
    response.encryptedCookie(COOKIE, pending, COOKIE_OPTIONS)
    return response.header('cache-control', 'no-store').redirect().status(302).toPath(location)
  }

  /** Complete a development login. Returns the tokens and the result of verifying them. */
  async callback({ request, response }: HttpContext) {
    const callback = await callbackValidator.validate(request.qs())
    const pending: PendingLogin | null = request.encryptedCookie(COOKIE) ?? null
    response.clearCookie(COOKIE, COOKIE_OPTIONS)
    response.header('cache-control', 'no-store')
    return successEnvelope(await completeLogin(callback, pending))
  }
}
