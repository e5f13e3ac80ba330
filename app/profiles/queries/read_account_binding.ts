import { PreparedQuery } from '#core/database/prepared_query'

interface RecordRow {
  active: boolean | number
  identity_verified: boolean | number
  idp_issuer: string | null
  idp_user_id: string | null
}

const query = new PreparedQuery<RecordRow>(
  'record_of_address',
  'select active, identity_verified, idp_issuer, idp_user_id from users where email = $1'
)

export async function readAccountBinding(email: string) {
  const [row] = await query.all([email])
  if (!row) return null
  return {
    active: Boolean(row.active),
    issuer: row.idp_issuer,
    subject: row.idp_user_id,
    isVerified: Boolean(row.identity_verified),
  }
}
