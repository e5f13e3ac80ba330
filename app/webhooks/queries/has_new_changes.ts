import db from '@adonisjs/lucid/services/db'

interface Row {
  revision: number | string
  sequence: number
  seen_revision: number | string
  seen_sequence: number
}

/** Whether there are changes that did not become events. Reads a row of three tables. */
export async function hasNewChanges(): Promise<boolean> {
  const row: Row = await db
    .from('change_revisions')
    .joinRaw('cross join audit_chain cross join webhook_positions')
    .select('change_revisions.revision', 'audit_chain.sequence')
    .select('webhook_positions.revision as seen_revision')
    .select('webhook_positions.sequence as seen_sequence')
    .firstOrFail()
  const hasSameRevision = Number(row.revision) === Number(row.seen_revision)
  return !hasSameRevision || row.sequence !== row.seen_sequence
}
