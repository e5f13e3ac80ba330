import type { JsonObject } from '#app/permissions/conditions/condition_variables'
import type { Attributes } from '#app/checks/values/attributes'

export interface SubjectOrResource {
  type: string
  id: string
  properties?: JsonObject
}

/** A valid access evaluation (authzen.md#evaluation). */
export interface AccessRequest {
  subject: SubjectOrResource
  action: { name: string; properties?: JsonObject }
  resource: SubjectOrResource
  context?: JsonObject
}

export const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const

/** When a batch ends (authzen.md#semantics). */
export type Semantic = (typeof SEMANTICS)[number]

/** Why one of a batch cannot be evaluated. */
export interface RefusedRequest {
  message: string
}

export interface Batch {
  requests: (AccessRequest | RefusedRequest)[]
  semantic: Semantic
}

/** Parts of a request that can have properties. */
type Described = Record<'subject' | 'action' | 'resource', { properties?: JsonObject }>

export function attributesOf(
  request: Partial<Described> & Pick<AccessRequest, 'context'>
): Attributes {
  return {
    subject: request.subject?.properties,
    resource: request.resource?.properties,
    action: request.action?.properties,
    context: request.context,
  }
}
