import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import authConfig from '#config/auth'
import { mayWrite } from '#core/database/writing_nothing'
import { requireFewFailures } from '#core/network/failed_authentication'
import { findValidKey } from '#app/applications/actions/find_valid_key'
import { isKeyRevoked } from '#app/applications/actions/is_key_revoked'
import { recordKeyUse } from '#app/applications/actions/record_key_use'
import { InvalidSecret, KeyNotForApplication } from '#app/auth/exceptions'
import { requireApplicationAccess } from '#app/auth/values/internal_caller'
import { requireInternalListener } from '#app/auth/values/require_internal_listener'
import { SharedSecrets } from '#app/auth/values/shared_secrets'

const HEADER = 'x-internal-api-key'
const internalKeys = new SharedSecrets('INTERNAL_API_KEY', authConfig.internalKeys)

/**
 * Which application keys a route accepts besides the platform's. `application`: the key of the
 * application in the path or body. `filtered`: any key; the handler omits data of other
 * applications.
 */
export type KeyScope = 'application' | 'filtered'

/** Requires a key of the platform or of an application. */
export default class InternalKeyMiddleware {
  async handle(ctx: HttpContext, next: NextFn, reach?: KeyScope) {
    requireInternalListener(ctx)
    requireFewFailures(ctx)
    const given = ctx.request.header(HEADER)
    const name = internalKeys.nameOf(given)
    if (name !== null) {
      ctx.keyName = name
      ctx.internalCaller = { kind: 'platform' }
      return next()
    }
    await this.#authenticateApplication(ctx, given, reach)
    return next()
  }

  async #authenticateApplication(ctx: HttpContext, given: string | undefined, reach?: KeyScope) {
    const key = await findValidKey(given)
    if (key === null) throw new InvalidSecret(HEADER)
    const { id: keyId, name, applicationId, appCode, appCreatedAt } = key
    ctx.keyName = `${key.prefix} of ${appCode}`
    ctx.keyOwner = `application ${applicationId}`
    const application = { applicationId, appCode, appCreatedAt }
    ctx.internalCaller = { kind: 'application', ...application, keyId, name }
    ctx.guarded = { hasChanged: (client) => isKeyRevoked(keyId, client) }
    if (mayWrite()) ctx.response.onFinish(() => void recordKeyUse(key))
    if (reach === undefined) throw new KeyNotForApplication()
    const named: unknown = ctx.params.appCode
    if (named !== undefined) requireApplicationAccess(ctx.internalCaller, String(named))
  }
}
