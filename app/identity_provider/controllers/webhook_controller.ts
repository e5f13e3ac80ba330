import type { HttpContext } from '@adonisjs/core/http'
import { DateTime } from 'luxon'
import { success } from '#core/values/envelopes'
import { handleLifecycleEvent } from '#app/identity_provider/actions/handle_lifecycle_event'
import { lifecycleEventType } from '#app/identity_provider/values/lifecycle_event'
import {
  eventTypeValidator,
  lifecycleEventValidator,
} from '#app/identity_provider/validators/webhook_validator'

/** Lifecycle events of the identity provider (specification 4.7, decisions 5.1). */
export default class WebhookController {
  /**
   * Takes a lifecycle event of a user. A type it does not know is answered with `handled: false`.
   */
  async handle({ request }: HttpContext) {
    const { eventType } = await eventTypeValidator.validate(request.body())
    const type = lifecycleEventType(eventType)
    // Answered with 200, or the provider would repeat what will never be handled.
    if (type === null) return success({ handled: false })
    const { user, orgId, occurredAt } = await lifecycleEventValidator.validate(request.body())
    await handleLifecycleEvent({
      type,
      email: user.email,
      userId: user.id ?? null,
      orgId: orgId || null,
      names: namesOf(user),
      occurredAt: occurredAt ? DateTime.fromISO(occurredAt, { zone: 'utc' }) : DateTime.utc(),
    })
    return success({ handled: true })
  }
}

/** Empty names mean "not stated". */
function namesOf({ firstName, lastName, displayName }: Record<string, string | undefined>) {
  return {
    firstName: firstName || undefined,
    lastName: lastName || undefined,
    displayName: displayName || undefined,
  }
}
