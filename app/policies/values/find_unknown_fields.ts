import type { FieldError } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
}

/**
 * Finds fields that a schema does not have, up to the tenth. Elsewhere they are ignored, but in a
 * document that defines everything, a misspelt field would remove something.
 */
export function findUnknownFields(content: unknown, schema: object): FieldError[] {
  const errors: FieldError[] = []
  // One for all: a document can have a hundred thousand fields.
  const path: (string | number)[] = []
  visit(content, schema as Schema)
  return errors

  function visit(value: unknown, { properties, items }: Schema) {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      if (items) visitItems(value, items)
    } else if (properties) visitFields(value as Record<string, unknown>, properties)
  }

  function visitItems(list: unknown[], schemaOfItem: Schema) {
    for (const [index, item] of list.entries()) {
      path.push(index)
      visit(item, schemaOfItem)
      path.pop()
      if (isFull()) return
    }
  }

  function visitFields(fields: Record<string, unknown>, properties: Record<string, Schema>) {
    for (const name in fields) {
      path.push(name)
      if (Object.hasOwn(properties, name)) visit(fields[name], properties[name])
      else errors.push(unknownField(path.join('.'), Object.keys(properties)))
      path.pop()
      if (isFull()) return
    }
  }

  function isFull() {
    return errors.length >= MAX_VALIDATION_ERRORS
  }
}

function unknownField(field: string, allowed: string[]): FieldError {
  const message = `${field} is not a field. The fields here are ${allowed.join(', ')}`
  return { field, rule: 'unknown', message, meta: { allowed } }
}
