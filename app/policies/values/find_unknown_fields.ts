import type { FieldError } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
}

/**
 * Finds fields that a schema does not have. Elsewhere they are ignored, but in a document that
 * defines everything, a misspelt field would remove something.
 */
export function findUnknownFields(content: unknown, schema: object): FieldError[] {
  const errors: FieldError[] = []
  visit(content, schema as Schema, [])
  return errors

  function visit(value: unknown, { properties, items }: Schema, path: string[]) {
    if (errors.length >= MAX_VALIDATION_ERRORS) return
    if (Array.isArray(value)) {
      if (!items) return
      for (const [index, item] of value.entries()) visit(item, items, [...path, String(index)])
      return
    }
    if (typeof value !== 'object' || value === null || !properties) return
    for (const [name, field] of Object.entries(value)) {
      const place = [...path, name]
      if (Object.hasOwn(properties, name)) visit(field, properties[name], place)
      else if (errors.length < MAX_VALIDATION_ERRORS) {
        errors.push(unknownField(place.join('.'), Object.keys(properties)))
      }
    }
  }
}

function unknownField(field: string, allowed: string[]): FieldError {
  const message = `${field} is not a field. The fields here are ${allowed.join(', ')}`
  return { field, rule: 'unknown', message, meta: { allowed } }
}
