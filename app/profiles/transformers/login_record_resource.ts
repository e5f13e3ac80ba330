import { isoTimestamp } from '#core/values/iso_timestamp'
import type LoginRecord from '#app/profiles/models/login_record'

/** See profiles.md#login-record-fields. */
export function loginRecordResource(record: LoginRecord) {
  return {
    id: record.id,
    email: record.email,
    appCode: record.appCode,
    event: record.event,
    source: record.source,
    occurredAt: isoTimestamp(record.occurredAt),
  }
}
