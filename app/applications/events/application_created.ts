import { BaseEvent } from '@adonisjs/core/events'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'

/**
 * An application is being created: listeners add what every application has, in the same transaction.
 */
export default class ApplicationCreated extends BaseEvent {
  constructor(
    readonly application: Application,
    readonly trx: TransactionClientContract
  ) {
    super()
  }
}
