import { addOverrides } from '#app/permissions/actions/add_overrides'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import type { Applying } from '#app/policies/actions/applying'
import { permissionIds } from '#app/policies/actions/apply_permissions'
import { changesOf } from '#app/policies/actions/each_change'
import { remainingRows } from '#app/policies/actions/remaining_rows'
import { atPlace } from '#app/policies/values/at_place'
import { storedTargets, targetOf, targetOfChange } from '#app/policies/values/override_targets'
import { parsedWindow } from '#app/policies/values/parsed_window'

/** Adds the overrides of users on resources, and replaces them where there are some. */
export async function applyOverrides(applying: Applying) {
  const { application, stored, wanted, changes, placeOf } = applying
  const { code: appCode } = application
  const ids = await permissionIds(applying)
  const concerned = changesOf(changes, 'override', ['add', 'change', 'remove'])
  const rows = remainingRows({
    stored: stored.assignments?.overrides,
    wanted: wanted.assignments?.overrides,
    removed: concerned.filter(({ action }) => action === 'remove'),
    keyOf: (row) => [row.email, row.permission, row.resourceType, row.resourceId],
  })
  const byTarget = Map.groupBy(rows, targetOf)
  const changed = [...Map.groupBy(concerned, targetOfChange)].map(([target, [first]]) => {
    const [email, , resourceType, resourceId] = first.key
    const items = (byTarget.get(target) ?? []).flatMap((row) => {
      const permissionId = ids.get(row.permission)
      // A permission that was deleted took its overrides along.
      if (permissionId === undefined) return []
      const { granted, accessLevel, condition } = row
      return { permissionId, granted, accessLevel, condition, ...parsedWindow(row) }
    })
    return { target, place: placeOf(first), email, resourceType, resourceId, items }
  })
  const known = storedTargets(stored)
  const added = changed.filter(({ target }) => !known.has(target))
  if (added.length > 0) {
    await addOverrides(appCode, added, ({ place }, check) => atPlace(place, check))
  }
  for (const { target, place, items, ...list } of changed) {
    if (known.has(target)) await atPlace(place, () => replaceOverrides({ ...list, appCode }, items))
  }
}
