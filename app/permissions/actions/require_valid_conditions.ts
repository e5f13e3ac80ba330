import { CooperativeQueue } from '#core/values/cooperative_queue'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import { isKnownAsValid, requireValidCondition } from '#app/permissions/conditions/condition'
import { ConditionInvalid } from '#app/permissions/exceptions'

interface Conditional {
  condition?: string | null
}

/** However many requests compile conditions, other requests get turns in between. */
const compilations = new CooperativeQueue()

/**
 * See permissions.md#conditions. Those that were checked before a transaction do not wait in it.
 *
 * @param list the name of the list in the body
 * @throws ConditionInvalid for the first condition that is not valid, and for any condition on a
 *   permission of the admin panel
 */
export async function requireValidConditions(appCode: string, items: Conditional[], list: string) {
  for (const [index, { condition }] of items.entries()) {
    if (condition === undefined || condition === null) continue
    const field = `${list}.${index}.condition`
    if (appCode === PANEL_APPLICATION) throw panelCondition(field)
    if (isKnownAsValid(condition)) continue
    await compilations.run(() => requireValidCondition(condition, field), { group: appCode })
  }
}

/** Its guards know no attributes. */
function panelCondition(field: string) {
  const reason = 'Permissions of the admin panel cannot have conditions'
  return new ConditionInvalid({ detail: reason, details: { field, line: 1, column: 1, reason } })
}
