import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { createKey } from '#app/applications/actions/create_key'
import { revokeKey } from '#app/applications/actions/revoke_key'
import Application from '#app/applications/models/application'
import ApplicationKey from '#app/applications/models/application_key'
import {
  applicationKeyResource,
  newApplicationKeyResource,
} from '#app/applications/transformers/application_key_resource'
import { createKeyValidator } from '#app/applications/validators/key_validator'

/** Keys with which an application's servers call the internal endpoints. */
export default class KeysController {
  /** List the keys of an application. Only the prefix of each key is shown. */
  async index(ctx: HttpContext) {
    const { id } = await Application.withCode(textParam(ctx, 'appCode'))
    const keys = await ApplicationKey.query().where('applicationId', id).orderBy('id')
    return successEnvelope(keys.map(applicationKeyResource))
  }

  /** Create a key. The response is the only place that shows it; the service stores a hash. */
  async store(ctx: HttpContext) {
    const fields = await createKeyValidator.validate(ctx.request.body())
    const { key, text } = await createKey(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(successEnvelope(newApplicationKeyResource(key, text)))
  }

  /**
   * Revoke a key. The next request that uses it is refused. With `dryRun=true`, nothing is deleted
   * and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const preview = await revokeKey(textParam(ctx, 'appCode'), idParam(ctx, 'id'), dryRun)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
