import type ApplicationCreated from '#app/applications/events/application_created'
import { ensureGenericType } from '#app/notifications/actions/ensure_generic_type'

/** Every application has the notification type `generic` from the start (applications.md#generic-notification-type). */
export default class CreateGenericType {
  async handle({ application, trx }: ApplicationCreated) {
    await ensureGenericType(application.id, trx)
  }
}
