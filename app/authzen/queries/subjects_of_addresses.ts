import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'

interface Row {
  email: string
  subject: string
}

/** The inverse of `addressOfSubject`. Leaves out accounts that stand for another address. */
const sql = (isListed: string) =>
  `select u.email, u.idp_user_id as subject from users u
   where ${isListed} and ${proven('u')}
     and not exists (
       select 1 from users o
       where o.idp_user_id = u.idp_user_id and o.id <> u.id and ${proven('o')}
         and (o.active > u.active or (o.active = u.active and o.id > u.id))
     )`

const proven = (alias: string) =>
  `${alias}.idp_user_id is not null and ${alias}.identity_verified = true
   and (${alias}.idp_issuer is null or ${alias}.idp_issuer = $2)`

const QUERIES = {
  postgres: new PreparedQuery<Row>('subjects_of_addresses', sql('u.email = any($1)')),
  sqlite: new PreparedQuery<Row>(
    'subjects_of_addresses',
    sql('u.email in (select value from json_each($1))')
  ),
}

/** By address. */
export async function subjectsOfAddresses(emails: string[], issuer: string) {
  const rows = usesPostgres()
    ? await QUERIES.postgres.all([emails, issuer])
    : await QUERIES.sqlite.all([JSON.stringify(emails), issuer])
  return new Map(rows.map(({ email, subject }) => [email, subject]))
}
