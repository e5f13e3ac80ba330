import { PreparedQuery } from '#core/database/prepared_query'

/** The id of the account that has proved that the address is its own. */
export const subjectId = new PreparedQuery<{ idp_user_id: string | null }>(
  'subject_id',
  'select idp_user_id from users where email = $1 and identity_verified = true'
)
