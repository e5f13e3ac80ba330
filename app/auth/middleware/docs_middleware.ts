import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import docsConfig from '#config/docs'
import { NotFound } from '#core/exceptions/problems'
import { requirePrivateNetwork } from '#app/auth/values/require_private_network'

export default class DocsMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    if (docsConfig.access === 'off') throw new NotFound()
    if (docsConfig.access === 'private') requirePrivateNetwork(ctx)
    return next()
  }
}
