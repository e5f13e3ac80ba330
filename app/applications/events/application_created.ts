import { BaseEvent } from '@adonisjs/core/events'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'

/** Emitted before the commit, so that listeners can add rows in the same transaction. */
export default class ApplicationCreated extends BaseEvent {
  constructor(
    readonly application: Application,
    readonly trx: TransactionClientContract
  ) {
    super()
  }
}
