import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import type { Applying } from '#app/policies/actions/apply_changes'
import { permissionIds } from '#app/policies/actions/apply_permissions'
import { changesOf } from '#app/policies/actions/each_change'
import { remaining } from '#app/policies/actions/remaining'
import { atPlace } from '#app/policies/values/at_place'
import { parsedWindow } from '#app/policies/values/parsed_window'

/** Replaces the overrides of a user on a resource where one of them changes. */
export async function applyOverrides(applying: Applying) {
  const { application, stored, wanted, changes, placeOf } = applying
  const ids = await permissionIds(applying)
  const concerned = changesOf(changes, 'override', ['add', 'change', 'remove'])
  const rows = remaining({
    stored: stored.assignments?.overrides,
    wanted: wanted.assignments?.overrides,
    removed: concerned.filter(({ action }) => action === 'remove'),
    keyOf: (row) => [row.email, row.permission, row.resourceType, row.resourceId],
  })
  const byTarget = Map.groupBy(rows, ({ email, resourceType, resourceId }) =>
    JSON.stringify([email, resourceType, resourceId])
  )
  const targets = Map.groupBy(concerned, ({ key: [email, , type, id] }) =>
    JSON.stringify([email, type, id])
  )
  for (const [target, [first]] of targets) {
    const [email, resourceType, resourceId] = JSON.parse(target) as string[]
    const items = (byTarget.get(target) ?? []).flatMap((row) => {
      const permissionId = ids.get(row.permission)
      // A permission that was deleted took its overrides along.
      if (permissionId === undefined) return []
      const { granted, accessLevel, condition } = row
      return { permissionId, granted, accessLevel, condition, ...parsedWindow(row) }
    })
    const { code: appCode } = application
    await atPlace(placeOf(first), () =>
      replaceOverrides({ email, appCode, resourceType, resourceId }, items)
    )
  }
}
