import { PreparedQuery } from '#core/database/prepared_query'
import { isActive } from '#core/database/active_rows'
import type { Membership } from '#app/applications/values/membership'

interface MemberStatusRow {
  membership: Membership
  has_grant: boolean | number
  has_preference: boolean | number
}

/** Deny overrides and overrides on global permissions do not count as a grant. */
export const memberStatus = new PreparedQuery<MemberStatusRow>(
  'member_status',
  `select a.membership,
     exists(
       select 1 from application_admins m
       where m.email = $1 and m.application_id = a.id and ${isActive('m', '$3')}
     )
     or exists(
       select 1 from user_roles ur join roles r on r.id = ur.role_id
       where ur.email = $1 and r.application_id = a.id and ${isActive('ur', '$3')}
     )
     or exists(
       select 1 from resource_overrides o join permissions p on p.id = o.permission_id
       where o.email = $1 and o.granted = true and p.global = false and p.application_id = a.id
         and ${isActive('o', '$3')}
     ) as has_grant,
     exists(
       select 1 from application_preferences ap join users u on u.id = ap.user_id
       where u.email = $1 and ap.application_id = a.id
     ) as has_preference
   from applications a where a.code = $2`
)
