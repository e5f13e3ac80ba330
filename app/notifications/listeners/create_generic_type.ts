import type ApplicationCreated from '#app/applications/events/application_created'
import { ensureGenericType } from '#app/notifications/actions/ensure_generic_type'

/** See applications.md#generic-notification-type. */
export default class CreateGenericType {
  async handle({ application, trx }: ApplicationCreated) {
    await ensureGenericType(application.id, trx)
  }
}
