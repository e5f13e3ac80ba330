import { usesPostgres } from '#core/database/dialect'
import { PreparedQuery } from '#core/database/prepared_query'

interface SubjectIdRow {
  email: string
  idp_user_id: string | null
}

/** The id of the account that has proved that the address is its own. */
export const subjectId = new PreparedQuery<SubjectIdRow>(
  'subject_id',
  'select email, idp_user_id from users where email = $1 and identity_verified = true'
)

const OF_MANY = {
  postgres: new PreparedQuery<SubjectIdRow>(
    'subject_ids',
    'select email, idp_user_id from users where email = any($1) and identity_verified = true'
  ),
  sqlite: new PreparedQuery<SubjectIdRow>(
    'subject_ids',
    `select email, idp_user_id from users
     where email in (select value from json_each($1)) and identity_verified = true`
  ),
}

/** By address; those without an account are left out. */
export async function readSubjectIds(emails: string[]): Promise<Map<string, string>> {
  const rows = usesPostgres()
    ? await OF_MANY.postgres.all([emails])
    : await OF_MANY.sqlite.all([JSON.stringify(emails)])
  return new Map(
    rows.flatMap(({ email, idp_user_id: id }) => (id === null ? [] : [[email, id] as const]))
  )
}
