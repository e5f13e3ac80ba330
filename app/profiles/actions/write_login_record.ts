import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import LoginRecord, { type LoginEvent, type LoginSource } from '#app/profiles/models/login_record'

/** Prevents a loop in a client from filling the table. */
export const MAX_RECORDS_PER_DAY = 100

export interface NewLoginRecord {
  email: string
  appCode: string
  event: LoginEvent
  source: LoginSource
  occurredAt: DateTime
}

/** @returns false when the user's login records of the application and day (UTC) are full */
export async function writeLoginRecord(
  record: NewLoginRecord,
  trx: TransactionClientContract
): Promise<boolean> {
  const { email, appCode, occurredAt } = record
  await lockUntilCommit(trx, `login_records:${appCode}:${email}`)
  const lastAllowed = await LoginRecord.query({ client: trx })
    .where({ email, appCode })
    .where('occurredAt', '>=', toDatabaseTimestamp(occurredAt.startOf('day')))
    .orderBy('occurredAt')
    .offset(MAX_RECORDS_PER_DAY - 1)
    .first()
  if (lastAllowed) return false
  await LoginRecord.create(record, { client: trx })
  return true
}
