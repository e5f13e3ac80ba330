import string from '@adonisjs/core/helpers/string'
import { BaseModel } from '@adonisjs/lucid/orm'
import schemaRules from '#database/schema_rules'
import { FIELD_TYPES, type FieldType } from '#development/module_generator/field_types'
import { InvalidModuleRequest } from '#development/module_generator/generator_errors'
import { isReservedName } from '#core/values/identifiers'

const MAX_FIELDS = 30
const MAX_LENGTH = 40
const TYPES = Object.keys(FIELD_TYPES)

const BUILT_IN = new Set(['id', 'applicationId', 'createdAt', 'updatedAt'])

const DEFAULT_FIELDS = ['code:slug', 'name:string']

export interface Field {
  name: string
  column: string
  typeName: string
  type: FieldType
  optional: boolean
}

/**
 * The first field identifies the rows.
 * @param texts `name:type`, with a final `?` for an optional field
 * @throws InvalidModuleRequest
 */
export function moduleFields(texts: string[] = []): Field[] {
  const fields = (texts.length > 0 ? texts : DEFAULT_FIELDS).map(parseField)
  if (fields.length > MAX_FIELDS)
    throw new InvalidModuleRequest(`A module has at most ${MAX_FIELDS} fields`)
  const columns = fields.map(({ column }) => column)
  const duplicate = fields.find(({ column }, index) => columns.indexOf(column) !== index)
  if (duplicate) throw new InvalidModuleRequest(`The field "${duplicate.name}" is given twice`)
  requireKey(fields[0])
  return fields
}

function parseField(text: string): Field {
  const [, name, typeName, mark] = /^([^:]*):([^:]*?)(\?)?$/.exec(text) ?? []
  if (name === undefined) {
    throw new InvalidModuleRequest(
      `"${text}" is not a field: write name:type, or name:type? for an optional one`
    )
  }
  requireUsable(name)
  if (!Object.hasOwn(FIELD_TYPES, typeName)) {
    throw new InvalidModuleRequest(`"${typeName}" is not a field type: use ${TYPES.join(', ')}`)
  }
  if (name.endsWith('At') && typeName !== 'timestamp') {
    throw new InvalidModuleRequest(
      `"${name}" must be a timestamp, because its name ends in At (conventions.md#timestamps)`
    )
  }
  const column = string.snakeCase(name)
  const optional = mark !== undefined
  return { name, column, typeName, type: FIELD_TYPES[typeName], optional }
}

function requireUsable(name: string) {
  const column = string.snakeCase(name)
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name) || string.camelCase(column) !== name) {
    throw new InvalidModuleRequest(
      `"${name}" is not a field name: use camelCase, such as "openUntil"`
    )
  }
  if (name.length > MAX_LENGTH)
    throw new InvalidModuleRequest(`"${name}" is longer than ${MAX_LENGTH} characters`)
  if (BUILT_IN.has(name))
    throw new InvalidModuleRequest(`Every resource has "${name}": leave it out`)
  if (isReservedName(name) || name in BaseModel.prototype) {
    throw new InvalidModuleRequest(
      `A field cannot be called "${name}": every model has that member`
    )
  }
  if (Object.hasOwn(schemaRules.columns, column)) {
    throw new InvalidModuleRequest(
      `"${name}" has another meaning in database/schema_rules.ts: choose another name`
    )
  }
}

function requireKey({ name, typeName, type, optional }: Field) {
  if (type.unique && !optional) return
  const usable = TYPES.filter((key) => FIELD_TYPES[key].unique).join(', ')
  throw new InvalidModuleRequest(
    `The first field identifies a resource: it must be required and of type ${usable}, ` +
      `unlike "${name}:${typeName}${optional ? '?' : ''}"`
  )
}
