import { DateTime } from 'luxon'
import { fromDatabase } from '#core/database/columns'
import { keyByDigest } from '#app/applications/queries/key_by_digest'
import { digestOfKey, isKeyText } from '#app/applications/values/key_text'

/** A key that is valid at this moment. */
export interface ValidKey {
  id: number
  name: string
  prefix: string
  appCode: string
  lastUsedAt: DateTime | null
}

/**
 * The key that this text is; null when there is none, it was revoked or it has expired. Read anew
 * each time, so that a revoked key is refused at once everywhere. Found by its digest: how long that
 * takes tells nothing about other keys.
 */
export async function findKey(text: string | undefined): Promise<ValidKey | null> {
  if (text === undefined || !isKeyText(text)) return null
  const [row] = await keyByDigest.all([digestOfKey(text)])
  if (!row) return null
  const expiresAt = fromDatabase(row.expires_at)
  if (expiresAt !== null && expiresAt <= DateTime.utc()) return null
  const { id, name, prefix, app_code: appCode } = row
  return { id, name, prefix, appCode, lastUsedAt: fromDatabase(row.last_used_at) }
}
