import { plainRows } from '#core/database/plain_rows'
import { createPermission } from '#app/permissions/actions/create_permission'
import { deletePermission } from '#app/permissions/actions/delete_permission'
import { updatePermission } from '#app/permissions/actions/update_permission'
import Permission from '#app/permissions/models/permission'
import type { Applying } from '#app/policies/actions/applying'
import { changesOf, eachChange } from '#app/policies/actions/each_change'
import { atPlace } from '#app/policies/values/at_place'
import type { PolicyPermission } from '#app/policies/values/policy_document'

/** Removes first, so that additions stay within the limits. */
export async function applyPermissions(applying: Applying) {
  const { application, changes, wanted, placeOf } = applying
  const ids = await permissionIds(applying)
  await eachChange(applying, 'permission', ['remove'], ([code]) =>
    deletePermission(application.code, ids.get(code)!)
  )
  const concerned = new Map(
    changesOf(changes, 'permission', ['add', 'change']).map((change) => [change.key[0], change])
  )
  for (const { code, parent, ...fields } of fromRoots(wanted.permissions ?? [])) {
    const change = concerned.get(code)
    if (!change) continue
    const values = { ...fields, parentPermissionId: parent === null ? null : ids.get(parent)! }
    await atPlace(placeOf(change), async () => {
      if (change.action === 'change') {
        return updatePermission(application.code, ids.get(code)!, values)
      }
      const { id } = await createPermission(application.code, { code, ...values })
      ids.set(code, id)
    })
  }
}

/** By code, also of what the transaction has created. */
export async function permissionIds({ application, trx }: Applying): Promise<Map<string, number>> {
  const permissions = await plainRows(
    Permission.query({ client: trx }).where('applicationId', application.id).select('id', 'code')
  )
  return new Map(permissions.map(({ id, code }) => [code, id]))
}

/** Each after the one above it, so that no step makes a cycle. */
function fromRoots(permissions: PolicyPermission[]): PolicyPermission[] {
  const byParent = Map.groupBy(permissions, ({ parent }) => parent)
  const defined = new Set(permissions.map(({ code }) => code))
  const ordered = permissions.filter(({ parent }) => parent === null || !defined.has(parent))
  for (const { code } of ordered) ordered.push(...(byParent.get(code) ?? []))
  return ordered
}
