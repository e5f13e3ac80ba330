import { column } from '@adonisjs/lucid/orm'
import { jsonColumn } from '#core/database/columns'
import { ReconciliationRunSchema } from '#database/schema'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/record_change'

/** A reconciliation in the history: what started it, how far it is, and how it ended. */
export default class ReconciliationRecord extends ReconciliationRunSchema {
  static override table = 'reconciliation_runs'

  @column()
  declare trigger: 'schedule' | 'command' | 'panel'

  @column()
  declare status: 'queued' | 'running' | 'succeeded' | 'failed'

  @jsonColumn()
  declare changes: Partial<Record<RecordChange['change'], number>>
}
