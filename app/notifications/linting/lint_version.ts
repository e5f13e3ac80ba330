import { lintHtml } from '#app/notifications/linting/lint_html'
import { type TemplateWarning, Warnings } from '#app/notifications/linting/template_warning'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import type { PreparedTexts } from '#app/notifications/preparation/prepare_texts'
import { parseTemplate, placeholdersOf } from '#app/notifications/rendering/parse_template'
import { hasVisibleText } from '#app/notifications/values/has_visible_text'
import { isServiceVariable } from '#app/notifications/values/service_variables'

/** Gmail hides everything after it. */
const MAX_BYTES = 102_400

type Declarations = Pick<NotificationTemplate, 'variables'>

/** A message made from the texts. */
interface Rendered {
  html: string
  /** Required variables that the data lacks */
  missing: string[]
}

/**
 * All rules that warn about texts (notifications.md#warnings). Takes time in proportion to the
 * texts.
 */
export function lintVersion(
  version: PreparedTexts,
  { variables }: Declarations,
  rendered?: Rendered
): TemplateWarning[] {
  const warnings = new Warnings()
  lintVariables(version, variables, warnings)
  for (const name of rendered?.missing ?? []) {
    const detail = `The data has no value for the required variable ${name}`
    warnings.add('MISSING_VARIABLE', detail, { value: name })
  }
  if (!hasVisibleText(version.textTemplate)) {
    const detail = 'The body has no text for readers who do not see images'
    warnings.add('NO_TEXT_ALTERNATIVE', detail, wholeBody)
  }
  lintSize(rendered?.html ?? version.inlinedBody, warnings)
  lintHtml(version.bodyTemplate, warnings)
  return warnings.list()
}

const wholeBody = { field: 'bodyTemplate' as const }

function lintVariables(
  version: PreparedTexts,
  variables: Declarations['variables'],
  warnings: Warnings
) {
  const declared = new Set(variables.map(({ key }) => key))
  const used = new Set<string>()
  for (const field of ['subjectTemplate', 'bodyTemplate'] as const) {
    const source = version[field]
    let depth = 0
    for (const { kind, name, start: position } of placeholdersOf(parseTemplate(source))) {
      const isInSection = depth > 0
      if (kind === 'end') depth--
      else if (kind !== 'value') depth++
      const isFirst = !used.has(name)
      used.add(name)
      const [root] = name.split('.', 1)
      // In a section, it may be a field of an item.
      if (!isFirst || isInSection || isServiceVariable(name)) continue
      if (declared.has(name) || declared.has(root)) continue
      const detail = `{{${name}}} is neither declared as a variable nor set by the service`
      warnings.add('UNKNOWN_VARIABLE', detail, { at: { field, source, position }, value: name })
    }
  }
  const read = new Set([...used].flatMap(pathsTo))
  for (const { key } of variables.filter(
    (each) => each.required && !read.has(each.key) && !isServiceVariable(each.key)
  )) {
    const detail = `The required variable ${key} does not appear in this language`
    warnings.add('UNUSED_VARIABLE', detail, { value: key })
  }
}

/** For example, `order` and `order.number` for `order.number`. */
function pathsTo(name: string): string[] {
  const names = name.split('.')
  return names.map((_, index) => names.slice(0, index + 1).join('.'))
}

function lintSize(html: string, warnings: Warnings) {
  const bytes = Buffer.byteLength(html)
  if (bytes <= MAX_BYTES) return
  const size = Math.ceil(bytes / 1_024)
  warnings.add(
    'MESSAGE_TOO_LARGE',
    `The message is ${size} KiB long. Some mail programs hide everything after 100 KiB`,
    wholeBody
  )
}
