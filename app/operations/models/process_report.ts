import { column } from '@adonisjs/lucid/orm'
import { jsonColumn } from '#core/database/columns'
import { ProcessReportSchema } from '#database/schema'
import type { ProcessState } from '#app/operations/values/process_state'

export type ProcessKind = 'service' | 'queue'

/** See platform.md#process-reports. */
export default class ProcessReport extends ProcessReportSchema {
  @column()
  declare kind: ProcessKind

  @jsonColumn()
  declare state: ProcessState
}
