import type { TypeDigest } from '#app/notifications/values/digest_frequency'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'

/**
 * The policy of an application (policy.md#document), complete and in its order. A section is
 * undefined if the document says nothing about it.
 */
export interface PolicyDocument {
  application: string
  permissions?: PolicyPermission[]
  roles?: PolicyRole[]
  entities?: PolicyEntity[]
  notificationTypes?: PolicyNotificationType[]
  assignments?: PolicyAssignments
}

export interface PolicyPermission {
  code: string
  name: string | null
  description: string | null
  type: PermissionType
  groupName: string | null
  /** The code of another permission. */
  parent: string | null
  global: boolean
}

export interface PolicyRole {
  code: string
  name: string | null
  description: string | null
  permissions: PolicyGrant[]
}

export interface PolicyGrant {
  permission: string
  accessLevel: AccessLevel
  condition: string | null
}

export interface PolicyEntity {
  code: string
  name: string
  description: string | null
  idLabel: string | null
  listEndpoint: string | null
}

export interface PolicyNotificationType {
  code: string
  name: string
  description: string | null
  emailEnabled: boolean
  pushEnabled: boolean
  userCanDisable: boolean
  defaultEmail: boolean
  defaultPush: boolean
  selfServiceEnabled: boolean
  urgent: boolean
  digest: TypeDigest | null
  emailFromName: string | null
  templates: PolicyTemplate[]
}

export interface PolicyTemplate {
  key: string
  name: string
  description: string | null
  variables: { key: string; required: boolean; sensitive?: boolean }[]
  versions: PolicyVersion[]
}

export interface PolicyVersion {
  locale: string
  subjectTemplate: string
  bodyTemplate: string
}

/** Timestamps are texts, so that documents can be compared. */
export interface PolicyWindow {
  validFrom: string | null
  validUntil: string | null
}

export interface PolicyAssignments {
  roles?: PolicyRoleAssignment[]
  overrides?: PolicyOverride[]
  administrators?: PolicyAdministrator[]
}

export interface PolicyRoleAssignment extends PolicyWindow {
  email: string
  role: string
}

export interface PolicyOverride extends PolicyWindow {
  email: string
  resourceType: string
  resourceId: string
  permission: string
  granted: boolean
  accessLevel: AccessLevel | null
  condition: string | null
}

export interface PolicyAdministrator extends PolicyWindow {
  email: string
}
