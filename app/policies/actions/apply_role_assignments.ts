import { importAssignments } from '#app/permissions/actions/import_assignments'
import { replaceUserRoles } from '#app/permissions/actions/replace_user_roles'
import type { Applying } from '#app/policies/actions/applying'
import { roleIds } from '#app/policies/actions/apply_roles'
import { changesOf } from '#app/policies/actions/each_change'
import { remainingRows } from '#app/policies/actions/remaining_rows'
import { atPlace } from '#app/policies/values/at_place'
import { parsedWindow } from '#app/policies/values/parsed_window'
import type { PolicyChange } from '#app/policies/values/policy_changes'

/** Users who only gain roles are imported together: a first policy can have thousands. */
export async function applyRoleAssignments(applying: Applying) {
  const { application, stored, wanted, changes, placeOf } = applying
  const ids = await roleIds(applying)
  const concerned = changesOf(changes, 'roleAssignment', ['add', 'change', 'remove'])
  const rows = remainingRows({
    stored: stored.assignments?.roles,
    wanted: wanted.assignments?.roles,
    removed: concerned.filter(({ action }) => action === 'remove'),
    keyOf: ({ email, role }) => [email, role],
  })
  const byUser = Map.groupBy(rows, ({ email }) => email)
  const ofUsers = Map.groupBy(concerned, ({ key }) => key[0])
  const gaining = [...ofUsers.values()].filter((own) => own.every(isAddition)).flat()
  if (gaining.length > 0) await importRoles(applying, gaining)
  for (const [email, own] of ofUsers) {
    const [first] = own
    if (own.every(isAddition)) continue
    const grants = (byUser.get(email) ?? []).flatMap(({ role, ...row }) => {
      const roleId = ids.get(role)
      // A role that was deleted took its assignments along.
      return roleId === undefined ? [] : { roleId, ...parsedWindow(row) }
    })
    await atPlace(placeOf(first), () => replaceUserRoles(email, application.code, grants))
  }
}

const isAddition = ({ action }: PolicyChange) => action === 'add'

function importRoles({ application }: Applying, additions: PolicyChange[]) {
  const rows = additions.map(({ key: [email, role], after }, index) => {
    return { email, role, ...after, row: index + 1 }
  })
  return importAssignments(application.code, rows, {})
}
