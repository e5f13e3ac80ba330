export interface TemplateVariable {
  key: string
  required: boolean
}
