import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { describeError } from '#core/exceptions/describe_error'
import NotificationProvider from '#app/identity_provider/models/notification_provider'

const RECORD_EVERY_MS = 60_000

export class HookHeartbeat {
  #nextRecordAt = 0

  async update(): Promise<void> {
    const now = performance.now()
    if (now < this.#nextRecordAt) return
    this.#nextRecordAt = now + RECORD_EVERY_MS
    try {
      await write(toDatabaseTimestamp(DateTime.utc()))
    } catch (error) {
      this.#nextRecordAt = 0
      logger.warn(
        { error: describeError(error) },
        'A call of the e-mail hook could not be recorded'
      )
    }
  }
}

const heartbeat = new HookHeartbeat()

/** Records a correctly signed call. Never throws: the mail matters more than the record. */
export const recordHookHeartbeat = () => heartbeat.update()

async function write(moment: string) {
  // Without decorators, it has no table before its first query.
  NotificationProvider.boot()
  await db
    .table(NotificationProvider.table)
    .insert({
      id: NotificationProvider.ONLY_ID,
      last_hook_call_at: moment,
      created_at: moment,
      updated_at: moment,
    })
    .onConflict('id')
    .merge(['last_hook_call_at'])
}
