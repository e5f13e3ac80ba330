import { PreparedQuery } from '#core/database/prepared_query'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import { ACCESS_LEVELS } from '#app/permissions/values/access_level'
import type { AccessEvidence, RoleEvidence } from '#app/checks/values/access_evidence'
import type { CheckScope } from '#app/checks/values/check_scope'

interface EvidenceRow {
  kind:
    'user' | 'super_admin' | 'application' | 'administrator' | 'permission' | 'override' | 'role'
  id: number
  /** Active user, global permission, granting override, or known resource type. */
  flag: number | null
  code: string | null
  level: AccessLevel | null
  assignment_id: number | null
}

const noNumber = 'cast(null as integer)'
const noText = 'cast(null as varchar(255))'

const evidence = new PreparedQuery<EvidenceRow>(
  'access_evidence',
  `select 'user' as kind, id, case when active then 1 else 0 end as flag,
     ${noText} as code, ${noText} as level, ${noNumber} as assignment_id
   from users where email = $1
   union all
   select 'super_admin', id, ${noNumber}, ${noText}, ${noText}, ${noNumber}
   from super_admins where email = $1
   union all
   select 'application', a.id,
     case
       when exists(select 1 from entities e where e.application_id = a.id and e.code = $3) then 1
       when exists(select 1 from entities e where e.application_id = a.id) then 0
       else 1
     end,
     ${noText}, ${noText}, ${noNumber}
   from applications a where a.code = $2
   union all
   select 'administrator', m.id, ${noNumber}, ${noText}, ${noText}, ${noNumber}
   from application_admins m join applications a on a.id = m.application_id
   where m.email = $1 and a.code = $2
   union all
   select 'permission', p.id, case when p.global then 1 else 0 end, p.type, ${noText}, ${noNumber}
   from permissions p join applications a on a.id = p.application_id
   where a.code = $2 and p.code = $5
   union all
   select 'override', o.id, case when o.granted then 1 else 0 end, ${noText}, o.access_level,
     ${noNumber}
   from resource_overrides o
   join permissions p on p.id = o.permission_id and p.code = $5
   join applications a on a.id = p.application_id and a.code = $2
   where o.email = $1 and o.resource_type = $3 and o.resource_id = $4
   union all
   select 'role', r.id, ${noNumber}, r.code, rp.access_level, ur.id
   from roles r
   join applications a on a.id = r.application_id and a.code = $2
   left join permissions p on p.application_id = a.id and p.code = $5
   left join role_permissions rp on rp.role_id = r.id and rp.permission_id = p.id
   left join user_roles ur on ur.role_id = r.id and ur.email = $1
   where ur.id is not null or rp.id is not null`
)

export async function readEvidence(scope: CheckScope, permission: string): Promise<AccessEvidence> {
  const { email, app, resourceType, resourceId } = scope
  const rows = await evidence.all([email, app, resourceType, resourceId, permission])
  const readRow = <T>(kind: EvidenceRow['kind'], read: (row: EvidenceRow) => T): T | null => {
    const row = rows.find((each) => each.kind === kind)
    return row ? read(row) : null
  }
  return {
    scope,
    permission,
    user: readRow('user', ({ id, flag }) => ({ id, active: flag === 1 })),
    superAdmin: readRow('super_admin', ({ id }) => ({ id })),
    application: readRow('application', ({ id, flag }) => ({ id, knowsResourceType: flag === 1 })),
    applicationAdmin: readRow('administrator', ({ id }) => ({ id })),
    definition: readRow('permission', ({ id, code, flag }) => ({
      id,
      type: code as PermissionType,
      global: flag === 1,
    })),
    override: readRow('override', ({ id, flag, level }) => ({ id, granted: flag === 1, level })),
    roles: rows
      .filter(({ kind }) => kind === 'role')
      .map((row) => ({
        id: row.id,
        code: row.code!,
        level: row.level,
        assignmentId: row.assignment_id,
      }))
      .sort(byLevelAndCode),
  }
}

function byLevelAndCode(a: RoleEvidence, b: RoleEvidence) {
  return rank(b) - rank(a) || (a.code < b.code ? -1 : 1)
}

function rank({ level }: RoleEvidence) {
  return level === null ? -1 : ACCESS_LEVELS.indexOf(level)
}
