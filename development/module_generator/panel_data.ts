import string from '@adonisjs/core/helpers/string'
import type { Field } from '#development/module_generator/fields'
import {
  type ModuleRequest,
  isOfApplication,
  pathOf,
} from '#development/module_generator/stub_data'

/** Columns of the list; the form has all fields. */
const MAX_COLUMNS = 4

/** Vue and the stubs mark expressions alike. */
const say = (expression: string) => `{{ ${expression} }}`

/** The variables of the stubs of the panel. */
export function panelData(request: ModuleRequest) {
  const { names, fields } = request
  const { section, many } = names
  const shown = fields.slice(0, MAX_COLUMNS)
  return {
    say,
    apiPath: pathOf(request).replace(':appCode', '{appCode}'),
    schema: `${section.camel}${many.pascal}Store`,
    ifEditor: isOfApplication(request) ? 'v-if="isEditor" ' : '',
    shown: shown.map((field) => ({ name: field.name, cell: cellOf(field) })),
    formName: `\`${many.snake} \${stored?.id ?? ''}\``,
    showsTime: shown.some(isTime),
    hasBoolean: fields.some(isBoolean),
    helpers: [
      ...(fields.some(isTime) ? ['toLocalTime'] : []),
      ...(fields.some(isNumber) ? ['toNumber'] : []),
      ...(fields.some(isTime) ? ['toTime'] : []),
    ],
    texts: { en: JSON.stringify(englishTexts(request)), cs: JSON.stringify(czechTexts(request)) },
  }
}

/** How a form of the panel shows a field, and what it sends. */
export function panelFieldData(field: Field, section: string) {
  return { initial: initialOf(field), body: bodyOf(field), input: inputOf(field, section) }
}

const isTime = ({ type }: Field) => type.tsType === 'DateTime'
const isNumber = ({ type }: Field) => type.tsType === 'number'
const isBoolean = ({ type }: Field) => type.tsType === 'boolean'

function cellOf(field: Field) {
  const value = `row.${field.name}`
  if (isTime(field)) return `<Time :at="${value}" look="exact" />`
  if (isBoolean(field)) return say(`t(${value} ? 'common.yes' : 'common.no')`)
  return `\n<span class="line-clamp-2 wrap-anywhere">${say(value)}</span>\n`
}

function initialOf(field: Field) {
  const value = `stored?.${field.name}`
  if (isTime(field)) return `toLocalTime(${value})`
  if (isNumber(field)) return `String(${value} ?? '')`
  return isBoolean(field) ? `${value} ?? false` : `${value} ?? ''`
}

function bodyOf(field: Field) {
  const value = `given.${field.name}`
  if (isBoolean(field)) return value
  if (isNumber(field)) {
    return field.optional ? `${value} === '' ? null : toNumber(${value})` : `toNumber(${value})`
  }
  const text = isTime(field) ? `toTime(${value})` : value
  return field.optional ? `${text} || null` : text
}

function inputOf(field: Field, section: string) {
  const { name, optional } = field
  const label = `:label="t('${section}.field.${name}')"`
  if (isBoolean(field)) return `<Checkbox v-model="values.${name}" ${label} />`
  return `<Field v-slot="{ control }" name="${name}" ${label}${optional ? '' : ' required'}>
    <Input v-model="values.${name}" v-bind="control" ${kindOf(field)} />
  </Field>`
}

function kindOf(field: Field) {
  if (isTime(field)) return 'type="datetime-local"'
  switch (field.type.validator) {
    case 'integer':
      return 'type="number" step="1"'
    case 'prose':
      return 'as="textarea" rows="4"'
    case 'email':
      return 'type="email" autocomplete="off"'
    case 'httpUrl':
      return 'type="url" autocomplete="off"'
    default:
      return 'autocomplete="off"'
  }
}

const capitalized = (words: string) => words[0].toUpperCase() + words.slice(1)

function fieldTexts({ fields }: ModuleRequest) {
  return Object.fromEntries(
    fields.map(({ name }) => [name, capitalized(string.noCase(name))] as const)
  )
}

export const panelTitle = ({ names }: ModuleRequest) => capitalized(names.many.words)

function englishTexts(request: ModuleRequest) {
  const { one, many } = request.names
  return {
    title: panelTitle(request),
    lead: isOfApplication(request)
      ? `The ${many.words} of the application.`
      : `The ${many.words} of the platform.`,
    new: `New ${one.words}`,
    edit: `Edit ${one.words}`,
    editOne: 'Edit {name}',
    deleteOne: 'Delete {name}',
    deleteHelp: 'This cannot be undone.',
    formHelp: 'Required fields are marked.',
    none: `There are no ${many.words} yet.`,
    actions: 'Actions',
    field: fieldTexts(request),
  }
}

/** Names of what is generated stay English until someone translates them. */
function czechTexts(request: ModuleRequest) {
  const { one } = request.names
  return {
    title: panelTitle(request),
    lead: isOfApplication(request) ? 'Co aplikace obsahuje.' : 'Co platforma obsahuje.',
    new: `Přidat: ${one.words}`,
    edit: `Upravit: ${one.words}`,
    editOne: 'Upravit {name}',
    deleteOne: 'Smazat {name}',
    deleteHelp: 'Nejde to vrátit.',
    formHelp: 'Povinná pole jsou označena.',
    none: 'Zatím tu nic není.',
    actions: 'Akce',
    field: fieldTexts(request),
  }
}
