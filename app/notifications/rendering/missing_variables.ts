import { valueAt } from '#app/notifications/rendering/data_path'
import { isServiceVariable } from '#app/notifications/values/service_variables'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

/** See notifications.md#required-variables. */
export function findMissingVariables(
  template: { variables: TemplateVariable[] },
  data: Record<string, unknown>
): string[] {
  return template.variables
    .filter(({ key, required }) => required && !isServiceVariable(key) && isMissing(data, key))
    .map(({ key }) => key)
}

function isMissing(data: Record<string, unknown>, key: string) {
  const value = valueAt(data, key.split('.'))
  return value === undefined || value === null || value === ''
}
