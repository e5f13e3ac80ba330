/** Everything an application has to say: types, their templates, their languages. The same whether in files or at the service. */
export interface Texts {
  types: Map<string, TypeTexts>
}

export interface TypeTexts {
  /** What `type.yaml` holds. */
  about: TypeAbout
  templates: Map<string, TemplateTexts>
}

export interface TypeAbout {
  name: string
  description: string | null
  emailEnabled: boolean
  pushEnabled: boolean
  userCanDisable: boolean
  defaultEmail: boolean
  defaultPush: boolean
  selfServiceEnabled: boolean
  emailFromName: string | null
}

export interface TemplateTexts {
  /** What `template.yaml` holds. */
  about: TemplateAbout
  versions: Map<string, Version>
}

export interface TemplateAbout {
  name: string
  description: string | null
  variables: { key: string; required: boolean }[]
}

export interface Version {
  subjectTemplate: string
  bodyTemplate: string
}
