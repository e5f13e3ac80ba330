export interface TemplateVariable {
  key: string
  required: boolean
  /** Whether the log masks the value; `false` if absent */
  sensitive?: boolean
}
