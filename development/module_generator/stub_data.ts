import string from '@adonisjs/core/helpers/string'
import type { Field } from '#development/module_generator/fields'
import { panelData, panelFieldData } from '#development/module_generator/panel_data'
import type { ModuleNames } from '#development/module_generator/names'

export const GUARDS = ['application', 'super-admin'] as const

export type Guard = (typeof GUARDS)[number]

export interface ModuleRequest {
  names: ModuleNames
  fields: Field[]
  guard: Guard
  /** Whether a section of the admin panel is generated too. */
  withPanel: boolean
}

export const isOfApplication = ({ guard }: ModuleRequest) => guard === 'application'

export function pathOf(request: ModuleRequest): string {
  const parent = isOfApplication(request) ? '/api/applications/:appCode' : '/api/admin'
  return `${parent}/${request.names.many.kebab}`
}

/** The variables of the stubs. */
export function stubData(request: ModuleRequest, migration: string) {
  const { one, many, section } = request.names
  const fields = request.fields.map((field) => ({
    ...fieldData(field, one.camel),
    panel: panelFieldData(field, many.snake),
  }))
  const optional = fields.filter((field) => field.optional)
  const required = fields.filter((field) => !field.optional)
  const moments = fields.filter(({ type }) => type.converter)
  const [key, ...others] = fields
  return {
    section,
    one: { ...one, withArticle: withArticle(one.words) },
    many: { ...many, title: capitalized(many.words) },
    migration,
    ofApplication: isOfApplication(request),
    path: pathOf(request),
    fields,
    optional,
    required,
    others,
    key: { ...key, unique: key.type.unique!(one.kebab) },
    label: labelOf(key, one.camel),
    validators: validatorImports(request.fields),
    hasMoments: moments.length > 0,
    absent: optional.map(({ name }) => `${name}: null, `).join(''),
    nulls: optional.map(({ name }) => `${name}: null`).join(', '),
    requiredNames: required.map(({ name }) => name).join(', '),
    changes: others.map(({ name, type }) => `${name}: ${type.samples[1]}`).join(', '),
    moments: moments.map(({ name }) => `${name}: DateTime.fromISO(fields.${name})`).join(', '),
    wrong: request.fields.flatMap(wrongValues),
    panel: panelData(request),
  }
}

const AN = /^(?:[aeio]|u(?!ni|se|su|t)|hour|honest|heir)(?!ne\b)/

const withArticle = (words: string) => `${AN.test(words) ? 'an' : 'a'} ${words}`

export const capitalized = (words: string) => words[0].toUpperCase() + words.slice(1)

function fieldData(field: Field, variable: string) {
  const { name, column, optional, type } = field
  const converted = type.converter ? `.transform(${type.converter})` : ''
  const value = `${variable}.${name}`
  return {
    ...field,
    words: string.noCase(name),
    columnCode: `${type.column(`'${column}'`)}.${optional ? 'nullable' : 'notNullable'}()`,
    validator: `${type.validator}()${converted}`,
    changeValidator: `${type.validator}()${converted}.optional()`,
    shown: type.tsType === 'DateTime' ? `isoTimestamp(${value})` : value,
  }
}

/** What administrators call a row in the audit trail. */
function labelOf({ name, type }: Field, variable: string): string {
  const value = `${variable}.${name}`
  return type.tsType === 'number' ? `String(${value})` : value
}

function validatorImports(fields: Field[]) {
  const used = fields.flatMap(({ type }) => [type.validator, type.converter ?? type.validator])
  return [...new Set(used)].sort()
}

function wrongValues({ name, optional, type }: Field) {
  const missing: typeof type.wrong = [
    ['nothing', 'undefined'],
    ['null', 'null'],
  ]
  const all = optional ? type.wrong : [...missing, ...type.wrong]
  return all.map(([what, value]) => ({ field: name, what, value }))
}
