import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import type Application from '#app/applications/models/application'
import { writeLoginRecord } from '#app/profiles/actions/write_login_record'
import type { LoginSource } from '#app/profiles/models/login_record'

/** @returns false when the login records of the day are full */
export function recordLogout(
  email: string,
  application: Application,
  source: LoginSource
): Promise<boolean> {
  const occurredAt = DateTime.utc()
  const { code: appCode } = application
  return transaction((trx) =>
    writeLoginRecord({ email, appCode, event: 'logout', source, occurredAt }, trx)
  )
}
