import type { PolicyChange } from '#app/policies/values/policy_changes'
import type { PolicyDocument, PolicyOverride } from '#app/policies/values/policy_document'

type Target = Pick<PolicyOverride, 'email' | 'resourceType' | 'resourceId'>

/** A user and a resource, whose overrides are one list. */
export const targetOf = ({ email, resourceType, resourceId }: Target) =>
  JSON.stringify([email, resourceType, resourceId])

export const targetOfChange = ({ key: [email, , resourceType, resourceId] }: PolicyChange) =>
  targetOf({ email, resourceType, resourceId })

/** Lists that are stored already, and so are replaced. Others are added, many at a time. */
export const storedTargets = ({ assignments }: PolicyDocument) =>
  new Set(assignments?.overrides?.map(targetOf))
