import type { HttpContext } from '@adonisjs/core/http'
import { responseEnvelope } from '#core/values/envelopes'
import { setQuietHours } from '#app/notifications/actions/set_quiet_hours'
import { quietHoursResource } from '#app/notifications/transformers/quiet_hours_resource'
import { quietHoursValidator } from '#app/notifications/validators/quiet_hours_validator'
import { ensureCaller } from '#app/profiles/actions/ensure_caller'

/** See notifications.md#quiet-hours. */
export default class QuietHoursController {
  /** Get the caller's quiet hours. */
  async show({ caller }: HttpContext) {
    return responseEnvelope(quietHoursResource(await ensureCaller(caller)))
  }

  /**
   * Set the caller's quiet hours. E-mail and push wait until they end; the inbox does not. `days`
   * are those on which a window begins, from 1 for Monday.
   */
  async update({ caller, request }: HttpContext) {
    const hours = await quietHoursValidator.validate(request.body())
    const user = await ensureCaller(caller)
    await setQuietHours(user, hours)
    return responseEnvelope(quietHoursResource(user))
  }
}
