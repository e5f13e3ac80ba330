import { PreparedQuery } from '#core/database/prepared_query'

interface KeyRow {
  id: number
  name: string
  prefix: string
  app_code: string
  last_used_at: unknown
  expires_at: unknown
}

export const keyByDigest = new PreparedQuery<KeyRow>(
  'application_key_by_digest',
  `select k.id, k.name, k.prefix, a.code as app_code, k.last_used_at, k.expires_at
   from application_keys k join applications a on a.id = k.application_id
   where k.digest = $1`
)
