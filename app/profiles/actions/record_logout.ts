import { DateTime } from 'luxon'
import type Application from '#app/applications/models/application'
import LoginRecord, { type LoginSource } from '#app/profiles/models/login_record'

/** Writes the audit event; the login statistics are unchanged (specification 4.1). */
export async function recordLogout(email: string, application: Application, source: LoginSource) {
  await LoginRecord.create({
    email,
    appCode: application.code,
    event: 'logout',
    source,
    occurredAt: DateTime.utc(),
  })
}
