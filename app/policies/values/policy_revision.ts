import { createHash } from 'node:crypto'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/** Differs as soon as anything in the document differs, and is the same in every process. */
export function policyRevision(document: PolicyDocument): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('base64url')
}
