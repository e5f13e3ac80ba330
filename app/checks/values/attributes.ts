import type {
  ConditionVariables,
  JsonObject,
} from '#app/permissions/conditions/condition_variables'
import type { CheckScope } from '#app/checks/values/check_scope'

/** What a check says about its subject, resource and action, and about anything else. */
export interface Attributes {
  subject?: JsonObject
  resource?: JsonObject
  action?: JsonObject
  context?: JsonObject
}

export const NO_ATTRIBUTES: Attributes = Object.freeze({})
const NO_PROPERTIES: JsonObject = Object.freeze({})

/** What is stored about the subject and the resource of a check. */
export interface StoredAttributes {
  /** The user's id at the identity provider, or the e-mail address if no account is bound. */
  subjectId: string
  /** The properties of the resource in the catalog. */
  resource: JsonObject
}

export interface Circumstances {
  stored: StoredAttributes
  given: Attributes
  /** In milliseconds. */
  now: number
}

/** Given properties replace stored ones of the same name (checks.md#attributes). */
export function conditionVariables(
  { email, resourceType, resourceId }: CheckScope,
  permission: string,
  { stored, given, now }: Circumstances
): ConditionVariables {
  return {
    subject: { id: stored.subjectId, email, properties: given.subject ?? NO_PROPERTIES },
    resource: {
      type: resourceType,
      id: resourceId,
      properties: given.resource ? { ...stored.resource, ...given.resource } : stored.resource,
    },
    action: { name: permission, properties: given.action ?? NO_PROPERTIES },
    context: given.context ?? NO_PROPERTIES,
    now: new Date(now),
  }
}
