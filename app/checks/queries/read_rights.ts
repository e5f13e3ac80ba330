import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { databaseMoment, isActive } from '#core/database/active_rows'
import { usesPostgres } from '#core/database/dialect'
import { isOneOf, listValue, selectRows } from '#core/database/select_rows'
import { jsonList } from '#app/checks/actions/read_facts'
import type { AccessLevel } from '#app/permissions/values/access_level'
import type { NamedOverride, Rights } from '#app/checks/previews/rights'

interface UserRow {
  email: string
  active: boolean | number | null
  subject_id: string | null
  super_admin: boolean | number
  application_admin: boolean | number
  role_ids: string | number[] | null
}

interface OverrideRow {
  email: string
  permission_id: number
  resource_type: string
  resource_id: string
  granted: boolean | number
  access_level: AccessLevel | null
  condition: string | null
}

interface Wanted {
  applicationId: number
  /** The roles that grant anything. */
  roleIds: number[]
  /** Only their overrides are read. */
  permissionIds: number[]
  /** Overrides to read at most. */
  limit: number
  /** In milliseconds. */
  now: number
}

/** Reads the rights of any number of users with two statements, in the order given. */
export async function readRights(
  emails: string[],
  wanted: Wanted,
  trx: TransactionClientContract
): Promise<Rights[]> {
  const overrides = await readOverrides(emails, wanted, trx)
  const byEmail = Map.groupBy(overrides, ({ email }) => email)
  const rows = new Map((await readUsers(emails, wanted, trx)).map((row) => [row.email, row]))
  return emails.map((email) => {
    const row = rows.get(email)!
    return {
      email,
      active: row.active === null ? null : Boolean(row.active),
      subjectId: row.subject_id ?? email,
      superAdmin: Boolean(row.super_admin),
      applicationAdmin: Boolean(row.application_admin),
      roleIds: jsonList<number>(row.role_ids).sort((a, b) => a - b),
      overrides: (byEmail.get(email) ?? []).map(toOverride),
    }
  })
}

function readUsers(
  emails: string[],
  { applicationId, roleIds, now }: Wanted,
  trx: TransactionClientContract
) {
  const isPostgres = usesPostgres()
  const moment = databaseMoment(now)
  return selectRows<UserRow>(
    trx,
    `select asked.email, u.active, case when u.identity_verified then u.idp_user_id end as subject_id,
       s.id is not null as super_admin, m.id is not null as application_admin,
       (
         select ${isPostgres ? 'json_agg' : 'json_group_array'}(ur.role_id) from user_roles ur
         where ur.email = asked.email and ${isOneOf('ur.role_id')} and ${isActive('ur', '?')}
       ) as role_ids
     from ${
       isPostgres
         ? 'unnest(cast(? as text[])) as asked(email)'
         : '(select value as email from json_each(?)) as asked'
     }
     left join users u on u.email = asked.email
     left join super_admins s on s.email = asked.email and ${isActive('s', '?')}
     left join application_admins m
       on m.email = asked.email and m.application_id = ? and ${isActive('m', '?')}`,
    [
      listValue(roleIds),
      moment,
      moment,
      listValue(emails),
      moment,
      moment,
      applicationId,
      moment,
      moment,
    ]
  )
}

function readOverrides(
  emails: string[],
  { permissionIds, limit, now }: Wanted,
  trx: TransactionClientContract
): Promise<OverrideRow[]> {
  if (permissionIds.length === 0) return Promise.resolve([])
  const moment = databaseMoment(now)
  return selectRows<OverrideRow>(
    trx,
    `select o.email, o.permission_id, o.resource_type, o.resource_id, o.granted, o.access_level,
       o.condition
     from resource_overrides o
     where ${isOneOf('o.email')} and ${isOneOf('o.permission_id')} and ${isActive('o', '?')}
     limit ?`,
    [listValue(emails), listValue(permissionIds), moment, moment, limit]
  )
}

function toOverride(row: OverrideRow): NamedOverride {
  return {
    permissionId: row.permission_id,
    resource: { type: row.resource_type, id: row.resource_id },
    granted: Boolean(row.granted),
    level: row.access_level,
    condition: row.condition,
  }
}
