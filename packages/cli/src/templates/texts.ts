/** The notification texts of an application, whether in files or at the service. */
export interface Texts {
  types: Map<string, TypeTexts>
}

export interface TypeTexts {
  /** The content of `type.yaml`. */
  about: TypeMetadata
  /** The content of `samples.yaml`, in order; undefined if there is no such file. */
  samples?: Sample[]
  templates: Map<string, TemplateTexts>
}

/** Named data for previews. */
export interface Sample {
  name: string
  data: Record<string, unknown>
}

export interface TypeMetadata {
  name: string
  description: string | null
  emailEnabled: boolean
  pushEnabled: boolean
  userCanDisable: boolean
  defaultEmail: boolean
  defaultPush: boolean
  selfServiceEnabled: boolean
  /** Absent if it is false */
  urgent?: boolean
  /** Absent if its mails are never part of a digest */
  digest?: TypeDigest
  emailFromName: string | null
}

export interface TypeDigest {
  allowed: ('hourly' | 'daily' | 'weekly')[]
  default?: 'off' | 'hourly' | 'daily' | 'weekly'
  /** A template of the type */
  templateKey?: string | null
}

export interface TemplateTexts {
  /** The content of `template.yaml`. */
  about: TemplateMetadata
  versions: Map<string, Version>
}

export interface TemplateMetadata {
  name: string
  description: string | null
  variables: { key: string; required: boolean; sensitive?: boolean }[]
}

export interface Version {
  subjectTemplate: string
  bodyTemplate: string
}
