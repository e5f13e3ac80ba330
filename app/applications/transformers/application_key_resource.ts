import { isoTimestamp } from '#core/values/iso_timestamp'
import type ApplicationKey from '#app/applications/models/application_key'

export function applicationKeyResource(key: ApplicationKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    createdAt: isoTimestamp(key.createdAt),
    lastUsedAt: isoTimestamp(key.lastUsedAt),
    expiresAt: isoTimestamp(key.expiresAt),
  }
}

/** The only response that contains the key itself. */
export function newApplicationKeyResource(row: ApplicationKey, key: string) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    key,
    createdAt: isoTimestamp(row.createdAt),
    expiresAt: isoTimestamp(row.expiresAt),
  }
}
