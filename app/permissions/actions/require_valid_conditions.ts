import { setImmediate as nextTurn } from 'node:timers/promises'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { requireValidCondition } from '#app/permissions/conditions/condition'
import { ConditionInvalid } from '#app/permissions/exceptions'

interface Conditional {
  condition?: string | null
}

/** Conditions to compile before other requests get a turn. */
const SLICE = 20

/**
 * See permissions.md#conditions.
 *
 * @param list the name of the list in the body
 * @throws ConditionInvalid for the first condition that is not valid, and for any condition on a
 *   permission of the admin panel
 */
export async function requireValidConditions(appCode: string, items: Conditional[], list: string) {
  let checked = 0
  for (const [index, { condition }] of items.entries()) {
    if (condition === undefined || condition === null) continue
    const field = `${list}.${index}.condition`
    if (appCode === PANEL_APPLICATION) throw panelCondition(field)
    requireValidCondition(condition, field)
    if (++checked % SLICE === 0) await nextTurn()
  }
}

/** Its guards know no attributes. */
function panelCondition(field: string) {
  const reason = 'Permissions of the admin panel cannot have conditions'
  return new ConditionInvalid({ detail: reason, details: { field, line: 1, column: 1, reason } })
}
