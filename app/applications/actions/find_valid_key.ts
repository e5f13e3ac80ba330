import { DateTime } from 'luxon'
import { parseDatabaseTimestamp } from '#core/database/columns'
import { keyByDigest } from '#app/applications/queries/key_by_digest'
import { keyDigest, isWellFormedKeyText } from '#app/applications/values/key_text'

export interface ValidKey {
  id: number
  name: string
  prefix: string
  applicationId: number
  appCode: string
  appCreatedAt: DateTime
  lastUsedAt: DateTime | null
}

/**
 * Null for an unknown, revoked or expired key. Always reads the database, so that a revoked key is
 * refused immediately everywhere. The lookup by digest leaks no timing information about other
 * keys.
 */
export async function findValidKey(text: string | undefined): Promise<ValidKey | null> {
  if (text === undefined || !isWellFormedKeyText(text)) return null
  const [row] = await keyByDigest.all([keyDigest(text)])
  if (!row) return null
  const expiresAt = parseDatabaseTimestamp(row.expires_at)
  if (expiresAt !== null && expiresAt <= DateTime.utc()) return null
  const { id, name, prefix, application_id: applicationId, app_code: appCode } = row
  const appCreatedAt = parseDatabaseTimestamp(row.app_created_at)!
  const lastUsedAt = parseDatabaseTimestamp(row.last_used_at)
  return { id, name, prefix, applicationId, appCode, appCreatedAt, lastUsedAt }
}
