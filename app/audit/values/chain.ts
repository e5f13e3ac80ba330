import { createHash, randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import type AuditEntry from '#app/audit/models/audit_entry'
import { auditedChange } from '#app/audit/transformers/audit_entry_resource'

/** A place in the chain of audit entries: how many there are up to it, and the last one's hash. */
export interface ChainPosition {
  sequence: number
  /** SHA-256, in hexadecimal. */
  hash: string
}

/** Keeps the hash of an entry from confirming a guess of what it said before it was redacted. */
export const newSalt = () => randomBytes(16).toString('hex')

/** The hash of an entry, which also covers all entries before it (audit.md#chain). */
export function chainedHash(previousHash: string, entry: AuditEntry): string {
  const { salt } = entry
  // Older entries have none.
  const content = { ...auditedChange(entry), ...(salt !== null && { salt }) }
  return createHash('sha256')
    .update(previousHash + canonicalize(content))
    .digest('hex')
}
