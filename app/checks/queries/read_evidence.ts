import { parseDatabaseTimestamp } from '#core/database/columns'
import { PreparedQuery } from '#core/database/prepared_query'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import { type AccessEvidence, byLevelAndCode } from '#app/checks/values/access_evidence'
import { NO_ATTRIBUTES } from '#app/checks/values/attributes'
import type { Check } from '#app/checks/actions/check_permissions'
import { nothingStored, readStoredAttributes } from '#app/checks/actions/read_stored_attributes'
import { currentTime } from '#core/values/clock'
import { type TimeWindow } from '#app/permissions/values/time_window'

interface EvidenceRow {
  kind:
    'user' | 'super_admin' | 'application' | 'administrator' | 'permission' | 'override' | 'role'
  id: number
  /** Active user, global permission, granting override, or known resource type. */
  flag: number | null
  /** Of a permission, its type. */
  code: string | null
  level: AccessLevel | null
  assignment_id: number | null
  condition: string | null
  valid_from: string | Date | null
  valid_until: string | Date | null
}

const noNumber = 'cast(null as integer)'
const noText = 'cast(null as varchar(255))'
/** The first row has the windows of a user, so that both databases know the types. */
const noWindow = 'null, null'

const evidence = new PreparedQuery<EvidenceRow>(
  'access_evidence',
  `select 'super_admin' as kind, id, ${noNumber} as flag, ${noText} as code, ${noText} as level,
     ${noNumber} as assignment_id, cast(null as text) as condition, valid_from, valid_until
   from super_admins where email = $1
   union all
   select 'user', id, case when active then 1 else 0 end,
     null, null, null, null, ${noWindow}
   from users where email = $1
   union all
   select 'application', a.id,
     case
       when exists(select 1 from entities e where e.application_id = a.id and e.code = $3) then 1
       when exists(select 1 from entities e where e.application_id = a.id) then 0
       else 1
     end,
     null, null, null, null, ${noWindow}
   from applications a where a.code = $2
   union all
   select 'administrator', m.id, null, null, null, null, null, m.valid_from, m.valid_until
   from application_admins m join applications a on a.id = m.application_id
   where m.email = $1 and a.code = $2
   union all
   select 'permission', p.id, case when p.global then 1 else 0 end, p.type, null, null, null,
     ${noWindow}
   from permissions p join applications a on a.id = p.application_id
   where a.code = $2 and p.code = $5
   union all
   select 'override', o.id, case when o.granted then 1 else 0 end, null, o.access_level, null,
     o.condition, o.valid_from, o.valid_until
   from resource_overrides o
   join permissions p on p.id = o.permission_id and p.code = $5
   join applications a on a.id = p.application_id and a.code = $2
   where o.email = $1 and o.resource_type = $3 and o.resource_id = $4
   union all
   select 'role', r.id, null, r.code, rp.access_level, ur.id, rp.condition, ur.valid_from,
     ur.valid_until
   from roles r
   join applications a on a.id = r.application_id and a.code = $2
   left join permissions p on p.application_id = a.id and p.code = $5
   left join role_permissions rp on rp.role_id = r.id and rp.permission_id = p.id
   left join user_roles ur on ur.role_id = r.id and ur.email = $1
   where ur.id is not null or rp.id is not null`
)

/** @param now for time windows and conditions, in milliseconds */
export async function readEvidence(
  { scope, permission, attributes = NO_ATTRIBUTES }: Check,
  now = currentTime()
): Promise<AccessEvidence> {
  const { email, app, resourceType, resourceId } = scope
  const rows = await evidence.all([email, app, resourceType, resourceId, permission])
  const readRow = <T>(kind: EvidenceRow['kind'], read: (row: EvidenceRow) => T): T | null => {
    const row = rows.find((each) => each.kind === kind)
    return row ? read(row) : null
  }
  return {
    scope,
    permission,
    now,
    given: attributes,
    stored: rows.some(({ condition }) => condition !== null)
      ? await readStoredAttributes(scope)
      : nothingStored(scope),
    user: readRow('user', ({ id, flag }) => ({ id, active: flag === 1 })),
    superAdmin: readRow('super_admin', (row) => ({ id: row.id, ...windowOf(row) })),
    application: readRow('application', ({ id, flag }) => ({ id, knowsResourceType: flag === 1 })),
    applicationAdmin: readRow('administrator', (row) => ({ id: row.id, ...windowOf(row) })),
    definition: readRow('permission', ({ id, code, flag }) => ({
      id,
      type: code as PermissionType,
      global: flag === 1,
    })),
    override: readRow('override', (row) => ({
      id: row.id,
      granted: row.flag === 1,
      level: row.level,
      condition: row.condition,
      ...windowOf(row),
    })),
    roles: rows
      .filter(({ kind }) => kind === 'role')
      .map((row) => ({
        id: row.id,
        code: row.code!,
        level: row.level,
        condition: row.condition,
        assignmentId: row.assignment_id,
        ...windowOf(row),
      }))
      .sort(byLevelAndCode),
  }
}

function windowOf(row: EvidenceRow): TimeWindow {
  return {
    validFrom: parseDatabaseTimestamp(row.valid_from),
    validUntil: parseDatabaseTimestamp(row.valid_until),
  }
}
