import type { OverrideFacts } from '#app/checks/values/access_facts'

/** What a user has in one application: the rows that count now. */
export interface Rights {
  email: string
  /** Null if there is no user record. */
  active: boolean | null
  /** See `StoredAttributes`. */
  subjectId: string
  superAdmin: boolean
  applicationAdmin: boolean
  /** In ascending order. */
  roleIds: number[]
  overrides: NamedOverride[]
}

/** What a user has before and after changes. */
export interface ComparedRights {
  before: Rights
  after: Rights
}

export interface ComparedUser extends ComparedRights {
  /** Whether their own rows change, so that every permission can matter. */
  isTouched: boolean
}

export interface NamedOverride extends OverrideFacts {
  permissionId: number
  resource: ResourceName
}

export interface ResourceName {
  type: string
  id: string
}

/** A key that is unique to the resource. */
export const keyOf = ({ type, id }: ResourceName): string => `${type.length}:${type}${id}`
