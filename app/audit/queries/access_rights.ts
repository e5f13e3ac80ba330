import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { databaseMoment } from '#core/database/active_rows'
import { inByteOrder, usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import { currentTime } from '#core/values/clock'
import type { DecisionSource } from '#app/checks/values/decision'
import type { AccessLevel } from '#app/permissions/values/access_level'
import type { WindowState } from '#app/permissions/values/time_window'

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

/** Which rights a review lists. Absent fields do not narrow it. */
export interface RightFilter {
  email?: string
  source?: DecisionSource
  /** The code of a role. */
  role?: string
  /** The code of a permission. Rights to all permissions match, too. */
  permission?: string
  state?: WindowState
  /** Only rights that count now and end within this number of days match. */
  endsWithinDays?: number
  /** Of the user record. Users without one match neither. */
  active?: boolean
  /** Only those of users who have not logged in to the application for this many days match. */
  noLoginForDays?: number
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
  /** To the application. */
  last_login_at: string | Date | null
}

const [EMAILS, APPLICATION, LIMIT] = ['$1', '$2', '$7']
const AFTER = { email: '$3', place: '($4, $5, $6)' }
const [SOURCE, ROLE, PERMISSION, ACTIVE] = ['$8', '$9', '$10', '$11']
const [NOW, STATE, ENDS_BEFORE, LOGIN_BEFORE] = ['$12', '$13', '$14', '$15']

/** The comparison comes first, because PostgreSQL takes the type of the parameter from it. */
const ifGiven = (parameter: string, comparison: string) => `(${comparison} or ${parameter} is null)`

const FILTERED = [
  ifGiven(SOURCE, `source = ${SOURCE}`),
  ifGiven(ROLE, `role = ${ROLE}`),
  ifGiven(PERMISSION, `coalesce(permission, ${PERMISSION}) = ${PERMISSION}`),
  ifGiven(ACTIVE, `case when u.active then 1 when not u.active then 0 end = ${ACTIVE}`),
  ifGiven(
    STATE,
    `case when valid_until <= ${NOW} then 'ended' when valid_from > ${NOW} then 'scheduled'
     else 'active' end = ${STATE}`
  ),
  ifGiven(
    ENDS_BEFORE,
    `valid_until <= ${ENDS_BEFORE} and valid_until > ${NOW} and coalesce(valid_from <= ${NOW}, true)`
  ),
  ifGiven(LOGIN_BEFORE, `coalesce(login.last_login_at < ${LOGIN_BEFORE}, true)`),
].join(' and ')

function rightsSql() {
  const { source: given } = jsonRows({ email: 'text' }, EMAILS)
  const ordered = inByteOrder[usesPostgres() ? 'postgres' : 'sqlite']
  const window = (row: string) => `${row}.created_at, ${row}.valid_from, ${row}.valid_until`
  const everything = `null as role, null as permission, null as access_level, true as granted,
    null as resource_type, null as resource_id, null as condition`
  // SQLite keeps the order of a cross join. Otherwise it would read all users of each role.
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
      cross join resource_overrides o
      cross join permissions p
      where o.email = given.email and p.id = o.permission_id
        and p.application_id = ${APPLICATION} and p.global = false
      union all
      select given.email, 2, ur.id, p.id, r.code, p.code, rp.access_level, true, null, null,
        rp.condition, ${window('ur')}
      from given
      cross join user_roles ur
      cross join roles r
      cross join role_permissions rp
      cross join permissions p
      where ur.email = given.email and r.id = ur.role_id and r.application_id = ${APPLICATION}
        and rp.role_id = r.id and p.id = rp.permission_id
      union all
      select given.email, 1, m.id, 0, ${everything}, ${window('m')}
      from given
      cross join application_admins m
      where m.email = given.email and m.application_id = ${APPLICATION}
      union all
      select given.email, 0, s.id, 0, ${everything}, ${window('s')}
      from given
      cross join super_admins s
      where s.email = given.email
    )
    select rights.*, u.active, u.display_name, login.last_login_at
    from rights
    left join users u on u.email = rights.email
    left join application_preferences login
      on login.user_id = u.id and login.application_id = ${APPLICATION}
    where ${FILTERED} and not (rights.email = ${AFTER.email} and (source, rights.id, permission_id) <= ${AFTER.place})
    order by ${ordered('rights.email')}, source, rights.id, permission_id
    limit ${LIMIT}`
}

let query: PreparedQuery<RightRow> | undefined

const BEGINNING: RightPosition = { email: '', source: 0, id: 0, permission_id: 0 }

const DAY_MS = 86_400_000

const inDays = (days: number | undefined) =>
  days === undefined ? null : databaseMoment(currentTime() + days * DAY_MS)

interface ListedRights {
  after?: RightPosition
  limit: number
  client?: TransactionClientContract
}

/**
 * The rights that users hold in an application, by user.
 *
 * @param filter its address does not count: the addresses are given
 * @param after leaves out the rights of its user up to this position
 */
export function listRights(
  applicationId: number,
  emails: string[],
  filter: RightFilter,
  { after, limit, client }: ListedRights
): Promise<RightRow[]> {
  // The kind of database is known only once the application has booted.
  query ??= new PreparedQuery<RightRow>('review_rights', rightsSql())
  const given = JSON.stringify(emails.map((email) => ({ email })))
  const { email, source, id, permission_id: permissionId } = after ?? BEGINNING
  const position = [email, source, id, permissionId]
  return query.all([given, applicationId, ...position, limit, ...valuesOf(filter)], client)
}

/** In the order of the parameters from `SOURCE` on. */
function valuesOf({ source, role, permission, active, state, ...days }: RightFilter) {
  const { endsWithinDays, noLoginForDays } = days
  return [
    source === undefined ? null : RIGHT_SOURCES.indexOf(source),
    role ?? null,
    permission ?? null,
    active === undefined ? null : Number(active),
    databaseMoment(),
    state ?? null,
    inDays(endsWithinDays),
    inDays(noLoginForDays === undefined ? undefined : -noLoginForDays),
  ]
}
