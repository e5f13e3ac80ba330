import { PreparedQuery } from '#core/database/prepared_query'

/**
 * The address of an account, by `sub` and issuer. An account has a record for each address it has
 * had, of which all but the last are usually inactive.
 */
export const addressOfSubject = new PreparedQuery<{ email: string }>(
  'address_of_subject',
  `select email from users
   where idp_user_id = $1 and identity_verified = true and (idp_issuer is null or idp_issuer = $2)
   order by active desc, id desc
   limit 1`
)
