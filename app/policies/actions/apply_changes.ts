import { applyAdministrators } from '#app/policies/actions/apply_administrators'
import { applyEntities, removeEntities } from '#app/policies/actions/apply_entities'
import { applyOverrides } from '#app/policies/actions/apply_overrides'
import { applyPermissions } from '#app/policies/actions/apply_permissions'
import { applyRoleAssignments } from '#app/policies/actions/apply_role_assignments'
import { applyRoles } from '#app/policies/actions/apply_roles'
import { applyTypes } from '#app/policies/actions/apply_types'
import type { Applying } from '#app/policies/actions/applying'
import { entryId } from '#app/policies/values/policy_entries'
import type { PolicyChange } from '#app/policies/values/policy_changes'

/**
 * Makes changes with the actions of the endpoints, in an order in which each is possible.
 *
 * @param places of the entries in the document
 * @throws what the actions throw, with the place in the document
 */
export async function applyChanges(
  applying: Omit<Applying, 'placeOf'>,
  places: ReadonlyMap<string, string>
) {
  const placeOf = (change: PolicyChange) => places.get(entryId(change))
  const work = { ...applying, placeOf }
  await applyPermissions(work)
  await applyRoles(work)
  await applyEntities(work)
  await applyTypes(work)
  await applyRoleAssignments(work)
  await applyOverrides(work)
  await applyAdministrators(work)
  // Last, because overrides that were to be removed may have used them.
  await removeEntities(work)
}
