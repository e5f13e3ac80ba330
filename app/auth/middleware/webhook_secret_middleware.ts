import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { InvalidSecret } from '#app/auth/exceptions'
import { matchesSecret } from '#app/auth/values/shared_secret'

const HEADER = 'X-Webhook-Secret'

/** Authentication class Webhook secret (specification part 5). */
export default class WebhookSecretMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    if (!matchesSecret(ctx.request.header(HEADER), authConfig.webhookSecrets)) {
      throw new InvalidSecret(HEADER)
    }
    return next()
  }
}
