import { createHash } from 'node:crypto'
import type { PolicyDocument } from '#app/policies/values/policy_document'

/** A hash of the document: the same for equal documents in every process. */
export function policyRevision(document: PolicyDocument): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('base64url')
}
