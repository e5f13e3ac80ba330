import { Turns } from '#core/values/turns'
import { invalidField } from '#core/exceptions/problems'
import { type AccessChange, MAX_CHANGES } from '#app/permissions/changes/access_change'
import { inChange } from '#app/permissions/changes/in_change'
import { OPERATIONS, readOperation } from '#app/permissions/changes/operations'

/**
 * Validates changes as their endpoints do. The errors name fields such as
 * `changes.2.permissions.0.accessLevel`.
 *
 * @throws ValidationError for the first change that is not valid
 */
export async function readAccessChanges(given: unknown): Promise<AccessChange[]> {
  if (given === undefined || given === null) {
    throw invalidField('changes', 'required', 'changes is required')
  }
  if (!Array.isArray(given)) throw invalidField('changes', 'array', 'changes must be an array')
  if (given.length === 0) {
    throw invalidField('changes', 'minLength', 'changes must not be empty', { min: 1 })
  }
  if (given.length > MAX_CHANGES) {
    const message = `changes must have at most ${MAX_CHANGES} items`
    throw invalidField('changes', 'maxLength', message, { max: MAX_CHANGES })
  }
  const changes: AccessChange[] = []
  const turns = new Turns()
  for (const [index, item] of given.entries()) {
    if (turns.isOver) await turns.next()
    const { email, apply } = await inChange(index, () => readChange(item))
    changes.push({
      email,
      apply: (appCode, trx) => inChange(index, () => apply(appCode, trx)),
    })
  }
  return changes
}

function readChange(item: unknown): Promise<AccessChange> {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw invalidField('', 'object', 'A change must be an object')
  }
  const fields = item as Record<string, unknown>
  const op = OPERATIONS.find((known) => known === fields.op)
  if (op === undefined) {
    const choices = { choices: OPERATIONS }
    throw invalidField('op', 'enum', `op must be one of ${OPERATIONS.join(', ')}`, choices)
  }
  return readOperation(op, fields)
}
