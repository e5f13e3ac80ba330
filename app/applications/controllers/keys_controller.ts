import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import { createKey } from '#app/applications/actions/create_key'
import { revokeKey } from '#app/applications/actions/revoke_key'
import Application from '#app/applications/models/application'
import ApplicationKey from '#app/applications/models/application_key'
import {
  applicationKeyResource,
  newApplicationKeyResource,
} from '#app/applications/transformers/application_key'
import { createKeyValidator } from '#app/applications/validators/key_validator'

/** Keys with which an application's servers use its part of the internal endpoints. */
export default class KeysController {
  /** Lists the keys of an application, without the keys themselves. */
  async index(ctx: HttpContext) {
    const { id } = await Application.withCode(textParam(ctx, 'appCode'))
    const keys = await ApplicationKey.query().where('applicationId', id).orderBy('id')
    return success(keys.map(applicationKeyResource))
  }

  /** Creates a key. The answer holds the key, this once: only a hash of it is stored. */
  async store(ctx: HttpContext) {
    const fields = await createKeyValidator.validate(ctx.request.body())
    const { key, text } = await createKey(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(success(newApplicationKeyResource(key, text)))
  }

  /** Revokes a key. The next request with it is refused. */
  async destroy(ctx: HttpContext) {
    await revokeKey(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return ctx.response.noContent()
  }
}
