import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { mayWrite } from '#core/database/writing_nothing'
import { requireFewFailures } from '#core/network/failed_authentication'
import { findKey } from '#app/applications/actions/find_key'
import { noteKeyUse } from '#app/applications/actions/note_key_use'
import { InvalidSecret, KeyNotForApplication } from '#app/auth/exceptions'
import { requireApplication } from '#app/auth/values/internal_caller'
import { requireInternalListener } from '#app/auth/values/internal_listener'
import { SharedSecrets } from '#app/auth/values/shared_secret'

const HEADER = 'x-internal-api-key'
const internalKeys = new SharedSecrets('INTERNAL_API_KEY', authConfig.internalKeys)

/**
 * What an application key gives access to. Without a scope, a route accepts the platform's keys
 * only. `application`: the application in the path; if the path has none, the handler checks it.
 * `filtered`: the whole route, and the handler leaves out the data of other applications.
 */
export type KeyReach = 'application' | 'filtered'

/** Authentication class Internal: a key of the platform or of an application. */
export default class InternalKeyMiddleware {
  async handle(ctx: HttpContext, next: NextFn, reach?: KeyReach) {
    requireInternalListener(ctx)
    requireFewFailures(ctx)
    const given = ctx.request.header(HEADER)
    const name = internalKeys.nameOf(given)
    if (name !== null) {
      ctx.keyName = name
      ctx.internalCaller = { kind: 'platform' }
      return next()
    }
    await this.#enterWithApplicationKey(ctx, given, reach)
    return next()
  }

  async #enterWithApplicationKey(ctx: HttpContext, given: string | undefined, reach?: KeyReach) {
    const key = await findKey(given)
    if (key === null) throw new InvalidSecret(HEADER)
    const { id: keyId, name, applicationId, appCode, appCreatedAt } = key
    ctx.keyName = `${key.prefix} of ${appCode}`
    ctx.keyOwner = `application ${applicationId}`
    const application = { applicationId, appCode, appCreatedAt }
    ctx.internalCaller = { kind: 'application', ...application, keyId, name }
    if (mayWrite()) ctx.response.onFinish(() => void noteKeyUse(key))
    if (reach === undefined) throw new KeyNotForApplication()
    const named: unknown = ctx.params.appCode
    if (named !== undefined) requireApplication(ctx.internalCaller, String(named))
  }
}
