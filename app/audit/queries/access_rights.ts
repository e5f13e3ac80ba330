import { inByteOrder, usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import type { DecisionSource } from '#app/checks/values/decision'
import type { AccessLevel } from '#app/permissions/values/access_level'

/** Where a right comes from, in the order in which a user's rights are listed. */
export const RIGHT_SOURCES: DecisionSource[] = ['superadmin', 'app_admin', 'role', 'override']

/** A position in a review, which lists rights in the order of these fields. */
export interface RightPosition {
  email: string
  /** An index of `RIGHT_SOURCES`. */
  source: number
  /** The id of the assignment. */
  id: number
  /** 0 for all permissions. */
  permission_id: number
}

/** One permission, or all of them, as one assignment gives it to a user. */
export interface RightRow extends RightPosition {
  display_name: string | null
  /** Null without a user record. */
  active: boolean | number | null
  role: string | null
  /** Null for all permissions. */
  permission: string | null
  /** Null for a denial, and for all permissions. */
  access_level: AccessLevel | null
  /** False for a denial. */
  granted: boolean | number
  resource_type: string | null
  resource_id: string | null
  condition: string | null
  created_at: string | Date
  valid_from: string | Date | null
  valid_until: string | Date | null
}

const [EMAILS, APPLICATION, LIMIT] = ['$1', '$2', '$7']
const AFTER = { email: '$3', place: '($4, $5, $6)' }

function rightsSql() {
  const { source: given } = jsonRows({ email: 'text' }, EMAILS)
  const ordered = inByteOrder[usesPostgres() ? 'postgres' : 'sqlite']
  const window = (row: string) => `${row}.created_at, ${row}.valid_from, ${row}.valid_until`
  const everything = `null as role, null as permission, null as access_level, true as granted,
    null as resource_type, null as resource_id, null as condition`
  return `
    with given as (select email from ${given}),
    rights as (
      select given.email, 3 as source, o.id, p.id as permission_id, null as role,
        p.code as permission,
        case when o.granted then
          coalesce(o.access_level, case p.type when 'tiered' then 'edit' else 'allowed' end)
        end as access_level,
        o.granted, o.resource_type, o.resource_id, o.condition, ${window('o')}
      from given
      join resource_overrides o on o.email = given.email
      join permissions p on p.id = o.permission_id
      where p.application_id = ${APPLICATION} and p.global = false
      union all
      select given.email, 2, ur.id, p.id, r.code, p.code, rp.access_level, true, null, null,
        rp.condition, ${window('ur')}
      from given
      join user_roles ur on ur.email = given.email
      join roles r on r.id = ur.role_id
      join role_permissions rp on rp.role_id = r.id
      join permissions p on p.id = rp.permission_id
      where r.application_id = ${APPLICATION}
      union all
      select given.email, 1, m.id, 0, ${everything}, ${window('m')}
      from given
      join application_admins m on m.email = given.email
      where m.application_id = ${APPLICATION}
      union all
      select given.email, 0, s.id, 0, ${everything}, ${window('s')}
      from given
      join super_admins s on s.email = given.email
    )
    select rights.*, u.active, u.display_name
    from rights
    left join users u on u.email = rights.email
    where not (rights.email = ${AFTER.email} and (source, rights.id, permission_id) <= ${AFTER.place})
    order by ${ordered('rights.email')}, source, rights.id, permission_id
    limit ${LIMIT}`
}

let query: PreparedQuery<RightRow> | undefined

const BEGINNING: RightPosition = { email: '', source: 0, id: 0, permission_id: 0 }

/**
 * The rights that users hold in an application, by user.
 *
 * @param after leaves out the rights of its user up to this position
 */
export function listRights(
  applicationId: number,
  emails: string[],
  { after, limit }: { after?: RightPosition; limit: number }
): Promise<RightRow[]> {
  // The kind of database is known only once the application has booted.
  query ??= new PreparedQuery<RightRow>('review_rights', rightsSql())
  const given = JSON.stringify(emails.map((email) => ({ email })))
  const { email, source, id, permission_id: permissionId } = after ?? BEGINNING
  return query.all([given, applicationId, email, source, id, permissionId, limit])
}
