/** A variable callers of a template are told about (notifications.md#template-fields). */
export interface TemplateVariable {
  key: string
  required: boolean
}
