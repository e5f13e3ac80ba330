import vine from '@vinejs/vine'
import type { HttpContext } from '@adonisjs/core/http'
import { success } from '#core/values/envelopes'
import {
  type PendingLogin,
  beginLogin,
  completeLogin,
} from '#app/identity_provider/actions/development_login'

const COOKIE = 'concierge_login'
const COOKIE_OPTIONS = { path: '/api/idp', httpOnly: true, maxAge: '10m', sameSite: 'lax' } as const

const parameter = () => vine.string().minLength(1).maxLength(4_000)
const loginValidator = vine.create({ client_id: parameter() })
const callbackValidator = vine.create({
  code: parameter().optional(),
  state: parameter().optional(),
  error: parameter().optional(),
})

/** A login through the browser that ends with the tokens as JSON (specification 4.7, development only). */
export default class DevelopmentLoginController {
  async login({ request, response }: HttpContext) {
    const query = await loginValidator.validate(request.qs())
    const { location, pending } = await beginLogin(query.client_id)
    response.encryptedCookie(COOKIE, pending, COOKIE_OPTIONS)
    return response.header('cache-control', 'no-store').redirect().status(302).toPath(location)
  }

  async callback({ request, response }: HttpContext) {
    const answer = await callbackValidator.validate(request.qs())
    const pending: PendingLogin | null = request.encryptedCookie(COOKIE) ?? null
    response.clearCookie(COOKIE, COOKIE_OPTIONS)
    response.header('cache-control', 'no-store')
    return success(await completeLogin(answer, pending))
  }
}
