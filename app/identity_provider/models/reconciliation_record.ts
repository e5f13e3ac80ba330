import { DateTime } from 'luxon'
import { column } from '@adonisjs/lucid/orm'
import { jsonColumn } from '#core/database/columns'
import { ReconciliationRunSchema } from '#database/schema'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'

/** A run that has saved no progress for this long has lost its process. */
const LOST_AFTER = { seconds: 60 }

/** A reconciliation in the history: what started it, how far it is, and how it ended. */
export default class ReconciliationRecord extends ReconciliationRunSchema {
  static override table = 'reconciliation_runs'

  @column()
  declare trigger: 'schedule' | 'command' | 'panel'

  @column()
  declare status: 'queued' | 'running' | 'succeeded' | 'failed' | 'interrupted'

  @jsonColumn()
  declare changes: Partial<Record<RecordChange['change'], number>>

  /** Whether its process ended without recording it. */
  get isLost(): boolean {
    const { status, seenAt } = this
    return status === 'running' && seenAt !== null && seenAt < DateTime.utc().minus(LOST_AFTER)
  }
}
