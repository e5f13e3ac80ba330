import string from '@adonisjs/core/helpers/string'
import { BaseModel } from '@adonisjs/lucid/orm'
import schemaRules from '#database/schema_rules'
import { FIELD_TYPES, type FieldType } from '#development/module_generator/field_types'
import { Refusal } from '#development/module_generator/refusal'
import { isReservedName } from '#core/values/identifiers'

const MAX_FIELDS = 30
const MAX_LENGTH = 40
const TYPES = Object.keys(FIELD_TYPES)

/** What every row has. */
const GIVEN = new Set(['id', 'applicationId', 'createdAt', 'updatedAt'])

/** Without any field: what most things of this platform have. */
const DEFAULT_FIELDS = ['code:slug', 'name:string']

export interface Field {
  /** As the API and the model call it. */
  name: string
  column: string
  typeName: string
  type: FieldType
  optional: boolean
}

/**
 * The fields of a module; by the first one its things are known.
 *
 * @param texts `name:type`, with `?` at the end for a field that may be null or left out
 * @throws Refusal
 */
export function moduleFields(texts: string[] = []): Field[] {
  const fields = (texts.length > 0 ? texts : DEFAULT_FIELDS).map(parseField)
  if (fields.length > MAX_FIELDS) throw new Refusal(`At most ${MAX_FIELDS} fields`)
  const columns = fields.map(({ column }) => column)
  const twice = fields.find(({ column }, index) => columns.indexOf(column) !== index)
  if (twice) throw new Refusal(`The field "${twice.name}" is given twice`)
  requireKey(fields[0])
  return fields
}

function parseField(text: string): Field {
  const [, name, typeName, mark] = /^([^:]*):([^:]*?)(\?)?$/.exec(text) ?? []
  if (name === undefined) {
    throw new Refusal(`"${text}" is no field: write name:type, or name:type? for an optional one`)
  }
  requireUsable(name)
  if (!Object.hasOwn(FIELD_TYPES, typeName)) {
    throw new Refusal(`"${typeName}" is no type of a field: there are ${TYPES.join(', ')}`)
  }
  if (name.endsWith('At') && typeName !== 'timestamp') {
    throw new Refusal(
      `"${name}" sounds like a moment (conventions.md#timestamps): make it a timestamp or rename it`
    )
  }
  const column = string.snakeCase(name)
  const optional = mark !== undefined
  return { name, column, typeName, type: FIELD_TYPES[typeName], optional }
}

function requireUsable(name: string) {
  const column = string.snakeCase(name)
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name) || string.camelCase(column) !== name) {
    throw new Refusal(`"${name}" is no name of a field: write it in camelCase, such as "openUntil"`)
  }
  if (name.length > MAX_LENGTH) throw new Refusal(`"${name}" is longer than ${MAX_LENGTH}`)
  if (GIVEN.has(name)) throw new Refusal(`Every row has "${name}" anyway: leave it out`)
  if (isReservedName(name) || name in BaseModel.prototype) {
    throw new Refusal(`A field cannot be called "${name}": every model has that`)
  }
  if (Object.hasOwn(schemaRules.columns, column)) {
    throw new Refusal(
      `"${name}" means something else in database/schema_rules.ts: rename the field`
    )
  }
}

function requireKey({ name, typeName, type, optional }: Field) {
  if (type.unique && !optional) return
  const usable = TYPES.filter((key) => FIELD_TYPES[key].unique).join(', ')
  throw new Refusal(
    `By the first field things are known, so it is required and one of ${usable}; ` +
      `"${name}:${typeName}${optional ? '?' : ''}" is not`
  )
}
