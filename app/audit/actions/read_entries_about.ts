import AuditEntry from '#app/audit/models/audit_entry'
import { SEALED_OR_NOT } from '#app/audit/queries/sealed_or_not'

/**
 * Entries that a user made, or that are about the user, in the order of their ids.
 *
 * @param after the id after which to begin
 * @param limit how many entries to read at most
 */
export async function readEntriesAbout(
  email: string,
  after: number,
  limit: number
): Promise<AuditEntry[]> {
  const ids = new Set<number>()
  // Separately, because SQLite uses no partial index for a disjunction.
  for (const kind of SEALED_OR_NOT) {
    for (const column of ['email', 'actorEmail']) {
      const found = AuditEntry.query().select('id').whereRaw(kind).where(column, email)
      for (const { id } of await found.where('id', '>', after).orderBy('id').limit(limit)) {
        ids.add(id)
      }
    }
  }
  const page = [...ids].toSorted((one, other) => one - other).slice(0, limit)
  return AuditEntry.query().whereIn('id', page).orderBy('id')
}
