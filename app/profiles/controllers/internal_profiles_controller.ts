import type { HttpContext } from '@adonisjs/core/http'
import { DateTime } from 'luxon'
import { successEnvelope } from '#core/values/envelopes'
import { recordApplicationEvent } from '#app/profiles/actions/record_application_event'
import { syncProfile } from '#app/profiles/actions/sync_profile'
import { profileOf } from '#app/profiles/queries/find_profile'
import { profileResource } from '#app/profiles/transformers/profile_resource'
import {
  applicationEventValidator,
  profileSyncValidator,
} from '#app/profiles/validators/internal_validator'

/** See profiles.md#application-events. */
export default class InternalProfilesController {
  /** Report an application event. The event is a login, an activity or a logout of a user. */
  async applicationEvent({ request }: HttpContext) {
    const event = await applicationEventValidator.validate(request.body())
    return successEnvelope({ recorded: await recordApplicationEvent(event) })
  }

  /**
   * Report names changed at the identity provider. Changes older than the stored one are ignored.
   */
  async sync({ request }: HttpContext) {
    const { email, changedAt, ...names } = await profileSyncValidator.validate(request.body())
    const at = changedAt ? DateTime.fromISO(changedAt, { zone: 'utc' }) : undefined
    return successEnvelope(profileResource(await profileOf(await syncProfile(email, names, at))))
  }
}
