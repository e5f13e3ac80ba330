import { DateTime } from 'luxon'
import { fromDatabase } from '#core/database/columns'
import { keyByDigest } from '#app/applications/queries/key_by_digest'
import { digestOfKey, isKeyText } from '#app/applications/values/key_text'

/** A key that is currently valid. */
export interface ValidKey {
  id: number
  name: string
  prefix: string
  applicationId: number
  appCode: string
  /** Since when the application exists. */
  appCreatedAt: DateTime
  lastUsedAt: DateTime | null
}

/**
 * The key with this text; null if there is none, or if it was revoked or has expired. Read from the
 * database each time, so that a revoked key is refused immediately everywhere. It is found by its
 * digest, so the time that takes reveals nothing about other keys.
 */
export async function findKey(text: string | undefined): Promise<ValidKey | null> {
  if (text === undefined || !isKeyText(text)) return null
  const [row] = await keyByDigest.all([digestOfKey(text)])
  if (!row) return null
  const expiresAt = fromDatabase(row.expires_at)
  if (expiresAt !== null && expiresAt <= DateTime.utc()) return null
  const { id, name, prefix, application_id: applicationId, app_code: appCode } = row
  const appCreatedAt = fromDatabase(row.app_created_at)!
  const lastUsedAt = fromDatabase(row.last_used_at)
  return { id, name, prefix, applicationId, appCode, appCreatedAt, lastUsedAt }
}
