/** A variable callers of a template are told about (specification 2.12). */
export interface TemplateVariable {
  key: string
  required: boolean
}
