import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { NotFound } from '#core/exceptions/problems'

/** Returns 404 in production (authentication.md#development-only-routes). */
export default class DevelopmentOnlyMiddleware {
  handle(_: HttpContext, next: NextFn) {
    if (app.inProduction) throw new NotFound()
    return next()
  }
}
