import { PreparedQuery } from '#core/database/prepared_query'
import type { Membership } from '#app/applications/values/membership'

interface TiesRow {
  membership: Membership
  holds: boolean | number
  came: boolean | number
}

/** Denials, and overrides on global permissions, make nobody a member. */
const ties = new PreparedQuery<TiesRow>(
  'application_ties',
  `select a.membership,
     exists(select 1 from application_admins m where m.email = $1 and m.application_id = a.id)
     or exists(
       select 1 from user_roles ur join roles r on r.id = ur.role_id
       where ur.email = $1 and r.application_id = a.id
     )
     or exists(
       select 1 from resource_overrides o join permissions p on p.id = o.permission_id
       where o.email = $1 and o.granted = true and p.global = false and p.application_id = a.id
     ) as holds,
     exists(
       select 1 from application_preferences ap join users u on u.id = ap.user_id
       where u.email = $1 and ap.application_id = a.id
     ) as came
   from applications a where a.code = $2`
)

/** A person's relation to an application. */
export interface Ties {
  /** Whether the application is for everybody. */
  isOpen: boolean
  /** Whether they hold a role, a granting override or the administration of it. */
  holds: boolean
  /** Whether they have a preference in it, which remains after they lose their membership. */
  came: boolean
}

/**
 * Null for an application that does not exist. Says nothing of panel levels, nor whether the person
 * is active.
 */
export async function readTies(email: string, appCode: string): Promise<Ties | null> {
  const [row] = await ties.all([email, appCode])
  if (!row) return null
  return {
    isOpen: row.membership === 'open',
    holds: Boolean(row.holds),
    came: Boolean(row.came),
  }
}
