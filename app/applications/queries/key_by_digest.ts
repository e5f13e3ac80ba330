import { PreparedQuery } from '#core/database/prepared_query'

interface KeyRow {
  id: number
  name: string
  prefix: string
  application_id: number
  app_code: string
  app_created_at: unknown
  last_used_at: unknown
  expires_at: unknown
}

export const keyByDigest = new PreparedQuery<KeyRow>(
  'application_key_by_digest',
  `select k.id, k.name, k.prefix, k.application_id, a.code as app_code, a.created_at as app_created_at,
     k.last_used_at, k.expires_at
   from application_keys k join applications a on a.id = k.application_id
   where k.digest = $1`
)
