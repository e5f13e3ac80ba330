import { BaseEvent } from '@adonisjs/core/events'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DeletedRows } from '#core/database/delete_row'
import type Application from '#app/applications/models/application'

/**
 * Emitted before the rows are deleted, in the same transaction, which a dry run rolls back.
 * Listeners end what belongs to the application but is kept.
 */
export default class ApplicationDeleted extends BaseEvent {
  constructor(
    readonly application: Application,
    readonly trx: TransactionClientContract,
    /** What listeners ended, for the preview of the deletion */
    readonly ended: DeletedRows[]
  ) {
    super()
  }
}
